/**
 * After this many refusals (about 25 minutes) an event is parked: it unblocks its resource and is retried only once an
 * hour.
 */
export const maxRefusals = 12;

const maxPauseSeconds = 300;
const parkedPauseSeconds = 3_600;

/** Pause after the consumer has refused an event this many times. */
export function secondsAfterRefusal(refusals: number): number {
  if (refusals >= maxRefusals) return parkedPauseSeconds;
  return Math.min(2 ** (refusals - 1), maxPauseSeconds);
}

/** An unavailable consumer is probed with one event at a time, after this pause. */
export const secondsAfterAbsence = 1;

/** No response, or a temporary failure: not caused by the event, however long it lasts. */
export function isUnavailable(status: number): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504;
}
