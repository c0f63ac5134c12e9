import { startOfDay } from "#libraries/time-zone/wall-clock.ts";
import { countSkipped, isOnIn, type RangedWindow } from "./ranged-windows.ts";
import type { Recurrence } from "./recurrence/recurrence.ts";
import { listScheduledDays } from "./scheduled-days.ts";

const entryMilliseconds = 15 * 60_000;

export interface CalendarEntry {
  from: number;
  to: number;
  /** How often it runs in that time. */
  times: number;
  /** How often it does not, since a maintenance window is on. */
  skipped: number;
}

/**
 * When it runs in the days to come, for people to look at: many runs of one day are one entry, from the first to the last.
 * What a window skips is left out, since calendars show cancelled entries each in another way, or as if they were none.
 */
export function listCalendarEntries(
  recurrence: Recurrence,
  { after, days, windows = [] }: { after: number; days: number; windows?: readonly RangedWindow[] },
): CalendarEntry[] {
  const { timeZone } = recurrence;
  const until = startOfDay(timeZone, after, days);
  return listScheduledDays(recurrence, { timeZone, after, until }).flatMap((day): CalendarEntry[] => {
    const { first, last, moments } = day;
    if (!moments) {
      const skipped = countSkipped(recurrence, day, windows) ?? 0;
      const times = day.times - skipped;
      return times > 0 ? [{ from: first, to: last + entryMilliseconds, times, skipped }] : [];
    }
    return moments
      .filter((moment) => !windows.some((window) => isOnIn(window, moment)))
      .map((moment) => ({ from: moment, to: moment + entryMilliseconds, times: 1, skipped: 0 }));
  });
}
