import { listClockChanges, offsetAt, wallAt, writeDay, writeTimeOfDay } from "#libraries/time-zone/wall-clock.ts";
import { isActive } from "./active-hours.ts";
import { parseCron } from "./cron-expression.ts";
import type { Recurrence } from "./recurrence.ts";

const day = 86_400_000;
const year = 366 * day;

/** The effect of a clock change on a recurrence. */
export interface ClockChange {
  /** The instant of the change. */
  at: number;
  /** E.g. `25 October 2026: 02:30 occurs twice; the first is used.` */
  note: string;
}

/** Its times that the change at an instant skips or repeats. */
function timesConcerned({ cron, timeZone, activeHours }: Recurrence, change: number): number[] {
  const { nextWall } = parseCron(cron!);
  const [before, after] = [change + offsetAt(timeZone, change - 1), change + offsetAt(timeZone, change)];
  const end = Math.max(before, after);
  const times: number[] = [];
  for (let wall = nextWall(Math.min(before, after) - 1); wall !== undefined && wall < end; wall = nextWall(wall)) {
    if (!activeHours || isActive(activeHours, wall)) times.push(wall);
  }
  return times;
}

function describeEffect(recurrence: Recurrence, change: number): string | undefined {
  const [first, ...more] = timesConcerned(recurrence, change);
  if (first === undefined) return undefined;
  const { timeZone } = recurrence;
  const { runsEveryHour } = parseCron(recurrence.cron!);
  const last = more.at(-1);
  const times = `${writeDay(first)}: ${writeTimeOfDay(first)}${last === undefined ? "" : ` to ${writeTimeOfDay(last)}`}`;
  const describe = (one: string, several: string) => `${times} ${last === undefined ? one : several}.`;
  const isSetForward = offsetAt(timeZone, change) > offsetAt(timeZone, change - 1);
  if (isSetForward && runsEveryHour)
    return describe("does not exist, it is left out", "do not exist, they are left out");
  if (isSetForward) {
    const instead = writeTimeOfDay(wallAt(timeZone, change));
    return describe(`does not exist, ${instead} is taken`, `do not exist, ${instead} is taken once`);
  }
  if (runsEveryHour) return describe("occurs twice; both are used", "occur twice; both are used");
  return describe("occurs twice; the first is used", "occur twice; the first are used");
}

/** Daylight saving changes within a year that affect it. Intervals are never affected. */
export function listClockChangeNotes(recurrence: Recurrence, after: number): ClockChange[] {
  if (recurrence.cron === undefined) return [];
  return listClockChanges(recurrence.timeZone, after, after + year).flatMap((at) => {
    const note = describeEffect(recurrence, at);
    return note ? [{ at, note }] : [];
  });
}

/** The effect of a clock change on one of its times. */
export function noteAt(recurrence: Recurrence, moment: number): string | undefined {
  if (recurrence.cron === undefined) return undefined;
  const { timeZone } = recurrence;
  const unspread = moment - recurrence.spreadSeconds * 1_000;
  const change = listClockChanges(timeZone, unspread - day, unspread + day)[0];
  if (change === undefined) return undefined;
  const size = offsetAt(timeZone, change - 1) - offsetAt(timeZone, change);
  const isConcerned = size < 0 ? unspread === change : unspread >= change - size && unspread < change + size;
  return isConcerned ? describeEffect(recurrence, change) : undefined;
}
