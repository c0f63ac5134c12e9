import { expect, test } from "vitest";
import { z } from "zod";
import { runSummary } from "../../../services/test-executioner/testing/reported-run.ts";
import { describeRun, runFields } from "./runs.ts";

const { counts } = runSummary();

test("a regional run is said to be no failure, with the number of executions that failed", () => {
  const run = runSummary({ verdict: "regional", counts: { ...counts, executions: 2, passed: 1, regional: 1 } });
  expect(describeRun(run)).toBe(
    "The run ended as regional, which is no failure: 1 of 2 executions failed, from fewer places than the circle's rule says.",
  );
  expect(z.object(runFields).parse(run)).toMatchObject({ verdict: "regional", counts: { passed: 1, regional: 1 } });
});

test("a failed run says how many did not pass", () => {
  const run = runSummary({ verdict: "failed", counts: { ...counts, executions: 2, passed: 1, failed: 1 } });
  expect(describeRun(run)).toBe("The run ended as failed: 1 of 2 executions did not pass.");
});
