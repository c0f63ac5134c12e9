import { expect, test } from "vitest";
import type { Test } from "#contracts/test-registry/tests.ts";
import { chooseFailed, chooseFrom, chooseMembers, type EarlierMember } from "./members.ts";

const given = (id: string, rows = 0) =>
  ({ id, ...(rows > 0 ? { data: Array.from({ length: rows }, (_, row) => ({ row: String(row) })) } : {}) }) as Test;
const earlier = (position: number, changes: Partial<EarlierMember> = {}): EarlierMember => ({
  ...{ position, phase: "main", testId: `t${position}`, rowIndex: null, verdict: "passed" },
  ...changes,
});
const getPositions = (members: EarlierMember[]) => members.map(({ position }) => position);
const choose = (failed: [testId: string, rowIndex: number | null][], tests: Test[]) =>
  chooseMembers(
    failed.map(([testId, rowIndex], index) => earlier(index, { testId, rowIndex })),
    new Map(tests.map((test) => [test.id, test])),
  ).map(({ test, rowIndex }) => [test.id, rowIndex]);

test("only the rows that failed are run again, in their order", () => {
  expect(
    choose(
      [
        ["a", null],
        ["b", 0],
        ["b", 2],
      ],
      [given("a"), given("b", 3)],
    ),
  ).toEqual([
    ["a", null],
    ["b", 0],
    ["b", 2],
  ]);
});

test("a test whose rows have changed runs with all of them, once; a deleted one does not run", () => {
  expect(
    choose(
      [
        ["a", 0],
        ["b", 7],
        ["b", 8],
        ["gone", null],
      ],
      [given("a"), given("b", 2)],
    ),
  ).toEqual([
    ["a", null],
    ["b", 0],
    ["b", 1],
  ]);
});

test("a test that a circle contains twice runs twice again", () => {
  expect(
    choose(
      [
        ["a", null],
        ["b", null],
        ["a", null],
      ],
      [given("a"), given("b")],
    ),
  ).toEqual([
    ["a", null],
    ["b", null],
    ["a", null],
  ]);
});

const circle = (verdicts: EarlierMember["verdict"][]) => [
  earlier(1, { phase: "setUp", verdict: verdicts[0] }),
  earlier(2, { verdict: verdicts[1] }),
  earlier(3, { verdict: verdicts[2] }),
  earlier(4, { verdict: verdicts[3] }),
  earlier(5, { phase: "tearDown", verdict: verdicts[4] }),
];

test("failures of a circle's run run again between its set-up and tear-down", () => {
  expect(getPositions(chooseFailed(circle(["passed", "failed", "flaky", "skipped", "passed"])))).toEqual([1, 2, 5]);
  expect(getPositions(chooseFailed(circle(["passed", "passed", "passed", "passed", "errored"])))).toEqual([1, 5]);
  expect(chooseFailed(circle(["passed", "passed", "flaky", null, "passed"]))).toEqual([]);
});

test("if set-up failed, the members that it blocked run again, too", () => {
  expect(getPositions(chooseFailed(circle(["failed", "skipped", "skipped", "skipped", "passed"])))).toEqual([
    1, 2, 3, 4, 5,
  ]);
});

test("from one member on means with set-up before and tear-down after it; from tear-down on, tear-down alone", () => {
  const members = circle(["passed", "passed", "failed", "passed", "passed"]);
  expect(getPositions(chooseFrom(members, 3))).toEqual([1, 3, 4, 5]);
  expect(getPositions(chooseFrom(members, 1))).toEqual([1, 2, 3, 4, 5]);
  expect(getPositions(chooseFrom(members, 5))).toEqual([5]);
  expect(chooseFrom(members, 6)).toEqual([]);
});
