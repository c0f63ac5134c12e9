import { startOfDay } from "#libraries/time-zone/wall-clock.ts";
import { countMoments, listLastMoments, listMoments, nextAfter, type Recurrence } from "./recurrence/recurrence.ts";

/** More times in one day are summarized as their number, the first and the last. */
const maxListed = 12;

/** A day with scheduled times. */
export interface ScheduledDay {
  times: number;
  first: number;
  last: number;
  /** Every time; undefined if there are more than twelve. */
  moments?: number[];
}

/** Times later than `after` and before `until`, by days of a zone. */
export function listScheduledDays(
  recurrence: Recurrence,
  { timeZone, after, until }: { timeZone: string; after: number; until: number },
): ScheduledDay[] {
  const days: ScheduledDay[] = [];
  for (let next = nextAfter(recurrence, after); next !== undefined && next < until; ) {
    const first = next;
    const end = Math.min(until, startOfDay(timeZone, first, 1)) - 1;
    const times = countMoments(recurrence, first - 1, end);
    const moments = times > maxListed ? undefined : listMoments(recurrence, first - 1, { until: end });
    const last = moments ? moments.at(-1)! : listLastMoments(recurrence, first, end, 1).moments[0]!;
    days.push({ times: moments?.length ?? times, first, last, moments });
    next = nextAfter(recurrence, end);
  }
  return days;
}
