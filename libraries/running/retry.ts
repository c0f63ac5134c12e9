import type { Test } from "#contracts/test-registry/tests.ts";

/** Upper bound for every pause, however often it was doubled. */
const longestPauseMilliseconds = 60_000;

export interface PauseInput {
  retry: Test["retry"];
  /** Number of the attempt that just ended, from 1. */
  attemptNumber: number;
  /** Time one attempt may take; a server that requests a longer pause does not get it (H12). */
  timeoutMilliseconds: number;
  now: Date;
  answered?: { status: number; headers: readonly [string, string][] };
}

/** Milliseconds before the next attempt. 429 and 503 may request a longer pause with Retry-After (RFC 9110, 10.2.3). */
export function pauseBeforeNextAttempt(input: PauseInput): number {
  const { retry, attemptNumber } = input;
  const doubled = retry.backoff === "exponential" ? 2 ** (attemptNumber - 1) : 1;
  const ours = Math.min(retry.delayMilliseconds * doubled, longestPauseMilliseconds);
  const asked = Math.min(readRetryAfter(input), input.timeoutMilliseconds);
  return Math.max(ours, asked);
}

function readRetryAfter({ answered, now }: PauseInput): number {
  if (!answered || (answered.status !== 429 && answered.status !== 503)) return 0;
  const text = answered.headers.find(([name]) => name.toLowerCase() === "retry-after")?.[1].trim() ?? "";
  if (/^\d{1,15}$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime());
}
