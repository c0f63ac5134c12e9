import { expect, test } from "vitest";
import { describeWait } from "./waited.ts";

const waitUntil = { everySeconds: 1, atMostSeconds: 30 };
const attempt = { number: 1, startedAt: "", durationMilliseconds: 1, response: null, phases: null };
const request = { method: "GET", url: "http://a.test/", headers: [], body: null, bodyBytes: 0 };

test("a wait is described by its tries, and by its time or its limit", () => {
  const passed = { verdict: "passed" as const, attempts: [], waitedMilliseconds: 12_345 };
  expect(describeWait(waitUntil, { ...passed, attemptCount: 4 })).toBe("Passed after 4 tries, 12.3 s.");
  const failed = { verdict: "failed" as const, attempts: [{ ...attempt, request, verdict: "failed" as const }] };
  expect(describeWait(waitUntil, { ...failed, attemptCount: 9 })).toBe("Not met within 30 s: 9 tries.");
  expect(describeWait(waitUntil, { ...failed, attemptCount: 1 })).toBe("Not met within 30 s: 1 try.");
});

test("nothing is said of a test that does not wait, that passed at once, or that waiting could not have helped", () => {
  const passed = { verdict: "passed" as const, attempts: [], attemptCount: 1 };
  expect(describeWait(undefined, { ...passed, attemptCount: 2 })).toBeUndefined();
  expect(describeWait(waitUntil, passed)).toBeUndefined();
  const unsent = { ...attempt, request: null, verdict: "errored" as const };
  expect(describeWait(waitUntil, { verdict: "errored", attempts: [unsent], attemptCount: 1 })).toBeUndefined();
});
