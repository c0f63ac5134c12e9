import { startOfDay } from "#libraries/time-zone/wall-clock.ts";
import { countSkipped, isOnIn, type RangedWindow } from "./ranged-windows.ts";
import type { Recurrence } from "./recurrence/recurrence.ts";
import { listScheduledDays } from "./scheduled-days.ts";

const entryMilliseconds = 15 * 60_000;

export interface CalendarEntry {
  from: number;
  to: number;
  /** Number of runs in that time. */
  times: number;
  /** Number of runs skipped during a maintenance window. */
  skipped: number;
}

/**
 * Runs of the coming days for display: many runs of one day are one entry, from the first to the last. Runs skipped by
 * a window are omitted, because calendars display cancelled entries in different ways or like normal ones.
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
