/** After so many refusals (about 25 minutes) an event is parked: it steps aside and is tried again once an hour only. */
export const mostRefusals = 12;

const longestPauseSeconds = 300;
const parkedPauseSeconds = 3_600;

/** How long to wait after the consumer has refused an event so many times. */
export function secondsAfterRefusal(refusals: number): number {
  if (refusals >= mostRefusals) return parkedPauseSeconds;
  return Math.min(2 ** (refusals - 1), longestPauseSeconds);
}

/** A consumer that is away is tried with one event at a time, so soon again. */
export const secondsAfterAbsence = 1;

/** It did not answer, or said that it can't now: that is no fault of the event's, however long it takes. */
export function isAway(status: number): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504;
}
