import type { OccurrenceCounts } from "#contracts/test-executioner/occurrences.ts";
import type { Schedule } from "#contracts/test-registry/schedules.ts";
import { wallAt } from "#libraries/time-zone/wall-clock.ts";
import { everyWords } from "~/features/schedules/schedule-words";
import type { Status } from "~/features/verdict/verdict-words";

const dayMilliseconds = 86_400_000;

/** A part of a day in which a maintenance window is open; shares of the day by the clock. */
export interface DayBand {
  name: string;
  from: number;
  to: number;
}

/** What became of a schedule on a day, and its runs: all, or where there are many the failed and latest. */
export interface PastDay {
  counts: OccurrenceCounts;
  runs: PastRun[];
  /** The list of the day's runs. */
  runsAddress?: string;
}

export interface PastRun {
  id: string;
  time: string;
  share: number;
  status: Status;
  /** Undefined where the circle has no tests left, and so no API to be shown below. */
  address?: string;
}

/** One day of a schedule, in the viewer's local time. Positions are shares of the day by the clock, from 0 to 1. */
export interface ScheduleDay {
  /** The occurrences in the past. */
  past?: PastDay;
  /** Future occurrences: each, or for many their number with the first and the last time. */
  runs: { at: string; time: string; share: number; window?: string }[];
  many?: { times: number; skipped: number | null; first: string; last: string; from: number; to: number };
  /** For example `every 5 minutes`, where that is regular and often. */
  repeats?: string;
  bands: DayBand[];
  /** The current time, on the current day. */
  now?: number;
}

/** @param time `14:30:00` */
export function timeShare(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
  return (hours * 3_600 + minutes * 60 + seconds) / 86_400;
}

/**
 * The parts of windows on a day. Located by the clock: on a day of 23 or 25 hours, 14:00 is where it is on any other.
 * @param day `2026-11-29`
 */
export function bandsOfDay(
  windows: readonly { name: string; from: string; to: string }[],
  { day, timeZone }: { day: string; timeZone: string },
): DayBand[] {
  const midnight = Date.parse(day);
  const locate = (moment: string) => (wallAt(timeZone, Date.parse(moment)) - midnight) / dayMilliseconds;
  return windows.flatMap(({ name, from, to }) => {
    const [start, end] = [Math.max(0, locate(from)), Math.min(1, locate(to))];
    return start < end ? [{ name, from: start, to: end }] : [];
  });
}

/** With fewer runs a day, each time is listed. */
const often = 4;

/** How a schedule repeats, if it does so regularly over the day and often. */
export function repeatWords({ cron, everySeconds }: Pick<Schedule, "cron" | "everySeconds">, times: number) {
  if (times < often) return undefined;
  if (everySeconds) return everyWords(everySeconds);
  const [, minutes, hourly] = /^(?:0 )?(?:\*(?:\/(\d+))?|(\d+)) \* \* \* [*?]$/.exec(cron?.trim() ?? "") ?? [];
  if (hourly) return "every hour";
  const step = minutes === undefined ? undefined : Number(minutes);
  if (step && 60 % step === 0) return everyWords(step * 60);
  return /^(?:0 )?\* \* \* \* [*?]$/.test(cron?.trim() ?? "") ? "every minute" : undefined;
}
