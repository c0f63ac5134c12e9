import { instantsOf, wallAt } from "../../kit/time-zone/wall-clock.ts";
import { countMoments, listLastMoments, listMoments, nextAfter, type Recurrence } from "./recurrence/recurrence.ts";

const day = 86_400_000;
const entryMilliseconds = 15 * 60_000;
/** More runs of one day are one entry, from the first to the last. */
const mostOfDay = 12;

export interface CalendarEntry {
  from: number;
  to: number;
  /** How often it runs in that time. */
  times: number;
}

/** The first instant of the day, by the zone's clocks, that is so many days away. */
function startOfDay(timeZone: string, moment: number, days: number): number {
  const wall = wallAt(timeZone, moment);
  const { shown, afterGap } = instantsOf(timeZone, wall - (wall % day) + days * day);
  return shown[0] ?? afterGap!;
}

/** When it runs in the days to come, for people to look at. */
export function listCalendarEntries(recurrence: Recurrence, after: number, days: number): CalendarEntry[] {
  const entries: CalendarEntry[] = [];
  for (let index = 0; index < days; index += 1) {
    const start = Math.max(after, startOfDay(recurrence.timeZone, after, index) - 1);
    const end = startOfDay(recurrence.timeZone, after, index + 1) - 1;
    const times = countMoments(recurrence, start, end);
    if (times <= mostOfDay) {
      const moments = listMoments(recurrence, start, { until: end });
      entries.push(...moments.map((moment) => ({ from: moment, to: moment + entryMilliseconds, times: 1 })));
      continue;
    }
    const first = nextAfter(recurrence, start)!;
    const [last = first] = listLastMoments(recurrence, start, end, 1).moments;
    entries.push({ from: first, to: last + entryMilliseconds, times });
  }
  return entries;
}
