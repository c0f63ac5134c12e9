import { expect, test } from "vitest";
import { normalizeMethod } from "./operation-key.ts";
import { findUnsteady } from "./tally.ts";

const executions = (...verdicts: ("passed" | "failed" | "flaky")[]) =>
  verdicts.map((verdict, index) => ({ id: `${index}`, verdict }));

test("an execution is unsteady when its verdict differs from the previous one, or when it needed a later attempt", () => {
  expect(findUnsteady(executions("passed", "failed", "failed", "passed"), null)).toEqual(["1", "3"]);
  expect(findUnsteady(executions("flaky"), null)).toEqual(["0"]);
  expect(findUnsteady(executions("passed"), "failed")).toEqual(["0"]);
  expect(findUnsteady(executions("passed"), "passed")).toEqual([]);
});

test("standard methods are compared in lower case, others as written", () => {
  expect(["GET", "Query", "LINK"].map(normalizeMethod)).toEqual(["get", "query", "LINK"]);
});
