import { startOfDay } from "../../kit/time-zone/wall-clock.ts";
import type { Recurrence } from "./recurrence/recurrence.ts";
import { listScheduledDays } from "./scheduled-days.ts";

const entryMilliseconds = 15 * 60_000;

export interface CalendarEntry {
  from: number;
  to: number;
  /** How often it runs in that time. */
  times: number;
}

/** When it runs in the days to come, for people to look at: many runs of one day are one entry, from the first to the last. */
export function listCalendarEntries(recurrence: Recurrence, after: number, days: number): CalendarEntry[] {
  const { timeZone } = recurrence;
  const until = startOfDay(timeZone, after, days);
  return listScheduledDays(recurrence, { timeZone, after, until }).flatMap(({ first, last, times, moments }) => {
    if (!moments) return [{ from: first, to: last + entryMilliseconds, times }];
    return moments.map((moment) => ({ from: moment, to: moment + entryMilliseconds, times: 1 }));
  });
}
