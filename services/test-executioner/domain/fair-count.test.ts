import { expect, test } from "vitest";
import { countsAgainstPlan, type EndedExecution } from "./fair-count.ts";

const ended: EndedExecution = {
  verdict: "passed",
  causeCode: undefined,
  attempts: 1,
  reserves: true,
};

test("an execution counts once, whether it passed or failed and however often it was retried", () => {
  for (const verdict of ["passed", "failed", "flaky"] as const) {
    expect(countsAgainstPlan({ ...ended, verdict, attempts: 5 })).toBe(true);
  }
});

test("an execution that was never sent does not count", () => {
  expect(countsAgainstPlan({ ...ended, verdict: "skipped", attempts: 0 })).toBe(false);
});

test("an internal error does not count, an error of the target does", () => {
  const errored = { ...ended, verdict: "errored" } as const;
  for (const causeCode of ["worker_lost", "not_judged"])
    expect(countsAgainstPlan({ ...errored, causeCode })).toBe(false);
  expect(countsAgainstPlan({ ...errored, causeCode: "connection_refused" })).toBe(true);
});

test("a free repetition does not count, however it ends", () => {
  for (const verdict of ["passed", "failed", "flaky"] as const) {
    expect(countsAgainstPlan({ ...ended, verdict, reserves: false })).toBe(false);
  }
});
