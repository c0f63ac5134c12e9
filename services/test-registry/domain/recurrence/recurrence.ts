import { findFirstInstant, findInstants, offsetAt, wallAt } from "#libraries/time-zone/wall-clock.ts";
import { type ActiveHours, isActive, nextActiveStart } from "./active-hours.ts";
import { type CronExpression, parseCron } from "./cron-expression.ts";

/** A recurrence. Times are milliseconds since 1970 in UTC. */
export interface Recurrence {
  /** Local time in the zone; or else a number of elapsed seconds, counted from 1970 in UTC. */
  cron?: string;
  everySeconds?: number;
  timeZone: string;
  activeHours?: ActiveHours;
  /** Constant delay after those times. */
  spreadSeconds: number;
}

const day = 86_400_000;
/** The search limit, which also detects hours that are never active. */
const furthest = 10 * 366 * day;

/**
 * Which instant of a local time counts: the first one if ambiguous; the first instant after the gap if missing. An
 * hourly recurrence counts every instant, as elapsed time does.
 */
export function effectiveInstants(expression: CronExpression, timeZone: string, wall: number): number[] {
  const { matching, afterGap } = findInstants(timeZone, wall);
  return expression.runsEveryHour ? matching : [matching[0] ?? afterGap!];
}

function nextByCron(expression: CronExpression, timeZone: string, after: number): number | undefined {
  const now = wallAt(timeZone, after);
  // Shortly before clocks are set back, the next local time may have occurred already.
  let wall: number | undefined = Math.min(now, after + offsetAt(timeZone, after + day));
  let soonest: number | undefined;
  for (;;) {
    wall = expression.nextWall(wall);
    if (wall === undefined) return soonest;
    for (const instant of effectiveInstants(expression, timeZone, wall)) {
      if (instant > after && instant < (soonest ?? Number.POSITIVE_INFINITY)) soonest = instant;
    }
    if (wall > now && soonest !== undefined) return soonest;
  }
}

function nextUnspread({ cron, everySeconds, timeZone }: Recurrence, after: number): number | undefined {
  if (cron !== undefined) return nextByCron(parseCron(cron), timeZone, after);
  const every = everySeconds! * 1_000;
  return (Math.floor(after / every) + 1) * every;
}

/** The next time later than `after`; undefined when there is none within ten years. */
export function nextAfter(recurrence: Recurrence, after: number): number | undefined {
  const { timeZone, activeHours, spreadSeconds } = recurrence;
  const spread = spreadSeconds * 1_000;
  let from = after - spread;
  for (;;) {
    const unspread = nextUnspread(recurrence, from);
    if (unspread === undefined || unspread > after + furthest) return undefined;
    const wall = wallAt(timeZone, unspread);
    // The spread is not chosen by the user: it neither drops nor adds a time.
    if (!activeHours || isActive(activeHours, wall)) return unspread + spread;
    from = Math.max(unspread, findFirstInstant(timeZone, nextActiveStart(activeHours, wall)) - 1);
  }
}

/** Times later than `after`, until `until` (inclusive), up to a limit. */
export function listMoments(
  recurrence: Recurrence,
  after: number,
  { until = Number.POSITIVE_INFINITY, atMost = Number.POSITIVE_INFINITY }: { until?: number; atMost?: number },
): number[] {
  const moments: number[] = [];
  let next = nextAfter(recurrence, after);
  while (next !== undefined && next <= until && moments.length < atMost) {
    moments.push(next);
    next = nextAfter(recurrence, next);
  }
  return moments;
}

/** The shortest interval between two of its times, active hours and clock changes aside. */
export function shortestStepSeconds({ cron, everySeconds }: Pick<Recurrence, "cron" | "everySeconds">): number {
  if (cron === undefined) return everySeconds!;
  const { minutesOfDay } = parseCron(cron);
  const overMidnight = 1_440 - minutesOfDay.at(-1)! + minutesOfDay[0]!;
  return 60 * Math.min(overMidnight, ...minutesOfDay.slice(1).map((minute, index) => minute - minutesOfDay[index]!));
}

/** Upper bound of its spread: not beyond its next time, and an hour at most. */
export function spreadWidthSeconds(recurrence: Recurrence): number {
  return Math.min(3_600, shortestStepSeconds(recurrence));
}

/**
 * Number of times after a time, until another (inclusive), clock changes aside: counted by days, because there may be
 * many.
 */
export function countMoments(recurrence: Recurrence, after: number, until: number): number {
  const { cron, everySeconds, timeZone, activeHours, spreadSeconds } = recurrence;
  const spread = spreadSeconds * 1_000;
  const offset = offsetAt(timeZone, after);
  const [start, end] = [after + offset - spread, until + offset - spread];
  const counts = (wall: number) => wall > start && wall <= end && (!activeHours || isActive(activeHours, wall));
  let count = 0;
  if (cron === undefined) {
    const every = everySeconds! * 1_000;
    const [first, last] = [Math.floor((after - spread) / every) + 1, Math.floor((until - spread) / every)];
    if (!activeHours) return last - first + 1;
    for (let time = first; time <= last; time += 1) if (counts(time * every + offset)) count += 1;
    return count;
  }
  const { nextDay, minutesOfDay } = parseCron(cron);
  for (let on = nextDay(start - (start % day) - 1); on !== undefined && on <= end; on = nextDay(on)) {
    for (const minute of minutesOfDay) if (counts(on + minute * 60_000)) count += 1;
  }
  return count;
}

/** Number of times in the 30 days after a time. */
export function countInMonth(recurrence: Recurrence, after: number): number {
  return countMoments(recurrence, after, after + 30 * day);
}

/**
 * The last times after a time, until another (inclusive), up to a limit, in order; and the number before them. Searches
 * backwards in doubling ranges, so that the cost of years is that of the last times.
 */
export function listLastMoments(
  recurrence: Recurrence,
  after: number,
  until: number,
  atMost: number,
): { moments: number[]; before: number } {
  for (let span = atMost * shortestStepSeconds(recurrence) * 1_000; ; span *= 2) {
    const from = Math.max(after, until - span);
    const moments = listMoments(recurrence, from, { until });
    if (from > after && moments.length < atMost) continue;
    const last = moments.slice(-atMost);
    const before = moments.length - last.length + (from > after ? countMoments(recurrence, after, from) : 0);
    return { moments: last, before };
  }
}
