import { expect, test } from "vitest";
import { isFailure, verdictRanking, worstVerdict } from "./verdict.ts";

test("the worst of several verdicts counts", () => {
  expect(worstVerdict(["passed", "failed", "flaky"])).toBe("failed");
  expect(worstVerdict([null])).toBeNull();
});

test("an execution that could not be judged is worse than a failed one, and an error worse than a refusal", () => {
  expect(verdictRanking).toEqual(["skipped", "passed", "flaky", "regional", "failed", "blocked", "errored"]);
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
