import { listLastMoments, nextAfter, type Recurrence } from "./recurrence/recurrence.ts";

/** A later time has been missed, or is caught up. */
const lateMilliseconds = 60_000;
/** Per schedule; earlier ones share one record with their number. */
const maxMissed = 1_000;

export interface Due {
  /** The time to start now; undefined if there is none. */
  start?: { scheduledFor: number; isLate: boolean };
  /** Missed times in order. */
  missed: number[];
  /** Number missed before those, with the first of them. */
  missedBefore?: { since: number; times: number };
  /** The next time; undefined when there is none. */
  next: number | undefined;
}

/**
 * Decides about a schedule's due times. Only the last of them can start: earlier ones have been missed. If the last
 * is late, it is caught up or also missed.
 * @param nextAt the first time without a record
 */
export function findDueTimes(
  { recurrence, nextAt, catchUp }: { recurrence: Recurrence; nextAt: number; catchUp: "latest" | "none" },
  now: number,
): Due {
  const next = nextAfter(recurrence, Math.max(now, nextAt - 1));
  const { moments, before } = listLastMoments(recurrence, nextAt - 1, now, maxMissed + 1);
  const last = moments.at(-1);
  if (last === undefined) return { missed: [], next };
  const isLate = now - last > lateMilliseconds;
  const starts = !isLate || catchUp === "latest";
  const passed = starts ? moments.slice(0, -1) : moments;
  const missed = passed.slice(-maxMissed);
  const times = before + passed.length - missed.length;
  return {
    ...(starts ? { start: { scheduledFor: last, isLate } } : {}),
    missed,
    ...(times > 0 ? { missedBefore: { since: nextAt, times } } : {}),
    next,
  };
}
