import { expect, test } from "vitest";
import { concludeVerdict, isWorthRetrying } from "./conclude-verdict.ts";

test("passing on a later attempt is flaky", () => {
  expect(concludeVerdict([{ verdict: "passed" }])).toEqual({ verdict: "passed" });
  expect(concludeVerdict([{ verdict: "errored" }, { verdict: "passed" }])).toEqual({ verdict: "flaky" });
});

test("the last attempt determines the cause", () => {
  const cause = { code: "timeout", detail: "It took too long." };
  expect(concludeVerdict([{ verdict: "failed" }, { verdict: "errored", cause }])).toEqual({
    verdict: "errored",
    cause,
  });
});

test("a refused target and a request that can't be built are not retried", () => {
  const request = { method: "GET", url: "", headers: [], body: null, bodyBytes: 0 };
  expect(isWorthRetrying({ verdict: "blocked", request })).toBe(false);
  expect(isWorthRetrying({ verdict: "errored", request: null })).toBe(false);
  expect(isWorthRetrying({ verdict: "errored", request })).toBe(true);
  expect(isWorthRetrying({ verdict: "failed", request })).toBe(true);
  expect(isWorthRetrying({ verdict: "passed", request })).toBe(false);
});
