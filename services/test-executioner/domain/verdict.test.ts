import { expect, test } from "vitest";
import { concludeVerdict, isFailure, isWorthRetrying, verdictRanking, worstVerdict } from "./verdict.ts";

test("passing on a later attempt is flaky", () => {
  expect(concludeVerdict([{ verdict: "passed" }])).toEqual({ verdict: "passed" });
  expect(concludeVerdict([{ verdict: "errored" }, { verdict: "passed" }])).toEqual({ verdict: "flaky" });
});

test("the last attempt says why", () => {
  const cause = { code: "timeout", detail: "It took too long." };
  expect(concludeVerdict([{ verdict: "failed" }, { verdict: "errored", cause }])).toEqual({
    verdict: "errored",
    cause,
  });
});

test("a refused target and a request that can't be made are not tried again", () => {
  const request = { method: "GET", url: "", headers: [], body: null, bodyBytes: 0 };
  expect(isWorthRetrying({ verdict: "blocked", request })).toBe(false);
  expect(isWorthRetrying({ verdict: "errored", request: null })).toBe(false);
  expect(isWorthRetrying({ verdict: "errored", request })).toBe(true);
  expect(isWorthRetrying({ verdict: "failed", request })).toBe(true);
  expect(isWorthRetrying({ verdict: "passed", request })).toBe(false);
});

test("the worst of several verdicts counts", () => {
  expect(worstVerdict(["passed", "failed", "flaky"])).toBe("failed");
  expect(worstVerdict([null])).toBeNull();
});

test("what could not be judged is worse than what failed, and an error worse than a refusal", () => {
  expect(verdictRanking).toEqual(["skipped", "passed", "flaky", "failed", "blocked", "errored"]);
  for (const [index, worse] of verdictRanking.entries()) {
    for (const milder of verdictRanking.slice(0, index)) {
      expect(worstVerdict([worse, milder])).toBe(worse);
      expect(worstVerdict([milder, null, worse])).toBe(worse);
    }
  }
});

test("failed, blocked and errored stop a run that is to stop; flaky and skipped do not", () => {
  expect(verdictRanking.filter(isFailure)).toEqual(["failed", "blocked", "errored"]);
  expect(isFailure(null)).toBe(false);
});
