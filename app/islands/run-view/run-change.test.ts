import { expect, test } from "vitest";
import { reportedExecution, runSummary } from "../../../services/test-executioner/testing/reported-run.ts";
import { withMembers } from "./run-change";

const members = [1, 2, 3].map((position) => member(position, { state: "queued", verdict: null }));
const snapshot = { run: runSummary(), members, firstFailures: [] };

function member(position: number, changes: Parameters<typeof reportedExecution>[0] = {}) {
  const { attempts, ...rest } = reportedExecution({ position, executionId: `execution-${position}`, ...changes });
  return rest;
}

test("a changed member keeps its position, and the others are unchanged", () => {
  const after = withMembers(snapshot, [member(2, { verdict: "passed" })]);
  expect(after.members.map(({ position, verdict }) => [position, verdict])).toEqual([
    [1, null],
    [2, "passed"],
    [3, null],
  ]);
});

test("a member of another page is not added to this one, but its failure is listed", () => {
  const after = withMembers(snapshot, [member(40, { verdict: "failed", reason: "no" })]);
  expect(after.members).toHaveLength(3);
  expect(after.firstFailures.map(({ position }) => position)).toEqual([40]);
});

test("the first five failures by position are listed, whichever came first", () => {
  const failed = [9, 3, 7, 1, 5, 2].map((position) => member(position, { verdict: "errored" }));
  const once = withMembers(snapshot, failed);
  expect(once.firstFailures.map(({ position }) => position)).toEqual([1, 2, 3, 5, 7]);
  const again = withMembers(once, [member(3, { verdict: "errored" }), member(4, { verdict: "blocked" })]);
  expect(again.firstFailures.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
});

test("a passed member is not listed as a failure", () => {
  const after = withMembers(snapshot, [member(1, { verdict: "flaky" }), member(2, { verdict: "skipped" })]);
  expect(after.firstFailures).toEqual([]);
});
