import { startOfDay } from "#libraries/time-zone/wall-clock.ts";
import { countMoments, listLastMoments, listMoments, nextAfter, type Recurrence } from "./recurrence/recurrence.ts";

/** What runs more often on one day is told by its number, its first and its last. */
const mostListed = 12;

/** A day on which something happens. */
export interface ScheduledDay {
  times: number;
  first: number;
  last: number;
  /** Every moment; undefined where they are more than twelve. */
  moments?: number[];
}

/** When it happens later than `after` and before `until`, by days of a zone. */
export function listScheduledDays(
  recurrence: Recurrence,
  { timeZone, after, until }: { timeZone: string; after: number; until: number },
): ScheduledDay[] {
  const days: ScheduledDay[] = [];
  for (let next = nextAfter(recurrence, after); next !== undefined && next < until; ) {
    const first = next;
    const end = Math.min(until, startOfDay(timeZone, first, 1)) - 1;
    const times = countMoments(recurrence, first - 1, end);
    const moments = times > mostListed ? undefined : listMoments(recurrence, first - 1, { until: end });
    const last = moments ? moments.at(-1)! : listLastMoments(recurrence, first, end, 1).moments[0]!;
    days.push({ times: moments?.length ?? times, first, last, moments });
    next = nextAfter(recurrence, end);
  }
  return days;
}
