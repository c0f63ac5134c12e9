import { expect, test } from "vitest";
import { pauseBeforeNextAttempt } from "./retry.ts";

const now = new Date("2026-01-01T00:00:00Z");
const given = {
  retry: { attempts: 5, backoff: "fixed" as const, delayMilliseconds: 100 },
  timeoutMilliseconds: 5_000,
  now,
};
const asking = (retryAfter: string, status = 429) => ({
  ...given,
  attemptNumber: 1,
  answered: { status, headers: [["Retry-After", retryAfter]] as [string, string][] },
});

test("a fixed pause is constant, an exponential one doubles up to a minute", () => {
  expect(pauseBeforeNextAttempt({ ...given, attemptNumber: 4 })).toBe(100);
  const retry = { ...given.retry, backoff: "exponential" as const };
  expect([1, 2, 3].map((attemptNumber) => pauseBeforeNextAttempt({ ...given, retry, attemptNumber }))).toEqual([
    100, 200, 400,
  ]);
  expect(pauseBeforeNextAttempt({ ...given, retry, attemptNumber: 30 })).toBe(60_000);
});

test("H12: Retry-After is honoured, but never beyond the time an attempt may take", () => {
  expect(pauseBeforeNextAttempt(asking("2"))).toBe(2_000);
  expect(pauseBeforeNextAttempt(asking("1000000000"))).toBe(5_000);
  expect(pauseBeforeNextAttempt(asking("Thu, 01 Jan 2026 00:00:03 GMT", 503))).toBe(3_000);
  expect(pauseBeforeNextAttempt(asking("Thu, 01 Jan 1970 00:00:03 GMT"))).toBe(100);
  expect(pauseBeforeNextAttempt(asking("soon"))).toBe(100);
  expect(pauseBeforeNextAttempt(asking("9", 200))).toBe(100);
});
