import { expect, test } from "vitest";
import { type ApiStanding, nextStep } from "./api-standing";

function standing(changes: { testCount?: number; lastFinishedAt?: string } = {}): ApiStanding {
  return {
    api: { id: "a", name: "Bookshop" } as ApiStanding["api"],
    testCount: changes.testCount ?? 0,
    executions: changes.lastFinishedAt
      ? ({ lastFinishedAt: changes.lastFinishedAt } as ApiStanding["executions"])
      : null,
  };
}

test("without an API the next step is to register one", () => {
  expect(nextStep([])?.href).toBe("/api-management/register");
});

test("with an API and no test it is to pick an operation", () => {
  expect(nextStep([standing()])?.href).toBe("/test-management/a/manage");
});

test("with a test that never ran it is to run it", () => {
  expect(nextStep([standing({ testCount: 2 })])?.href).toBe("/test-management/a/tests");
});

test("after the first run nobody is told what to do", () => {
  expect(nextStep([standing({ testCount: 1, lastFinishedAt: "2026-01-01T00:00:00Z" })])).toBeUndefined();
});

test("while nobody can say how tests stand nothing is advised", () => {
  expect(nextStep([{ ...standing(), testCount: undefined }])).toBeUndefined();
  expect(nextStep([{ ...standing({ testCount: 1 }), executions: undefined }])).toBeUndefined();
});
