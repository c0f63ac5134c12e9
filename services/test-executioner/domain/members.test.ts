import { expect, test } from "vitest";
import type { Test } from "../../test-registry/contract/tests.ts";
import { chooseMembers } from "./members.ts";

const given = (id: string, rows = 0) =>
  ({ id, ...(rows > 0 ? { data: Array.from({ length: rows }, (_, row) => ({ row: String(row) })) } : {}) }) as Test;
const choose = (failed: [testId: string, rowIndex: number | null][], tests: Test[]) =>
  chooseMembers(
    failed.map(([testId, rowIndex]) => ({ testId, rowIndex })),
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

test("a test whose rows have changed runs with all of them, once; one that is gone does not run", () => {
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
