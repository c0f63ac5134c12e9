import { listLastMoments, nextAfter, type Recurrence } from "./recurrence/recurrence.ts";

/** A time that begins later than this has been missed, or is caught up. */
const lateMilliseconds = 60_000;
/** Of one schedule; those before are one record that counts them. */
const mostMissed = 1_000;

export interface Due {
  /** What starts now; undefined where nothing does. */
  start?: { scheduledFor: number; isLate: boolean };
  /** Times that went by and start nothing any more, in their order. */
  missed: number[];
  /** How many more there were before those, since the first of them. */
  missedBefore?: { since: number; times: number };
  /** The next time; undefined when there is none. */
  next: number | undefined;
}

/**
 * What becomes of a schedule's times that have come. Only the last of them can start anything: those before it have been
 * missed. It is caught up, or missed too, when it is late itself.
 * @param nextAt the first time that nothing is recorded of
 */
export function dueOf(
  { recurrence, nextAt, catchUp }: { recurrence: Recurrence; nextAt: number; catchUp: "latest" | "none" },
  now: number,
): Due {
  const next = nextAfter(recurrence, Math.max(now, nextAt - 1));
  const { moments, before } = listLastMoments(recurrence, nextAt - 1, now, mostMissed + 1);
  const last = moments.at(-1);
  if (last === undefined) return { missed: [], next };
  const isLate = now - last > lateMilliseconds;
  const starts = !isLate || catchUp === "latest";
  const gone = starts ? moments.slice(0, -1) : moments;
  const missed = gone.slice(-mostMissed);
  const times = before + gone.length - missed.length;
  return {
    ...(starts ? { start: { scheduledFor: last, isLate } } : {}),
    missed,
    ...(times > 0 ? { missedBefore: { since: nextAt, times } } : {}),
    next,
  };
}
