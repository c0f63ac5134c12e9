import { expect, test } from "vitest";
import { isSameSource } from "./same-source";

const one = "019aa000-0000-7000-8000-000000000001";
const other = "019aa000-0000-7000-8000-000000000002";

test("a run of one test is the same as another of it, not of another or of several", () => {
  const source = { kind: "test", testId: one, testName: "Get a book" } as const;
  expect(isSameSource(source, { tests: [one] })).toBe(true);
  expect(isSameSource(source, { tests: [other] })).toBe(false);
  expect(isSameSource(source, { tests: [one, other] })).toBe(false);
  expect(isSameSource({ kind: "tests", testCount: 2 }, { tests: [one, other] })).toBe(false);
});

test("a run of an API is the same when it leaves out the same", () => {
  const source = { kind: "api", apiId: one, include: "safe" } as const;
  expect(isSameSource(source, { apiId: one })).toBe(true);
  expect(isSameSource(source, { apiId: one, include: "all" })).toBe(false);
  expect(isSameSource(source, { apiId: other })).toBe(false);
});

test("what failed in a run is the same only as what failed in that run", () => {
  const source = { kind: "rerun", runId: one } as const;
  expect(isSameSource(source, { runId: one, only: "failed" })).toBe(true);
  expect(isSameSource(source, { runId: other, only: "failed" })).toBe(false);
  expect(isSameSource(source, { apiId: one })).toBe(false);
});
