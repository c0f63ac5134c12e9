import { expect, test } from "vitest";
import type { OperationChange } from "#contracts/api-registry/comparisons.ts";
import { cutReview } from "./reviewed-changes";

const apiId = "0190a000-0000-7000-8000-000000000001";
const circle = { id: apiId, name: "Daily", schedules: 1 };

function change(number: number, breaking = true, length = 80): OperationChange {
  const sentence = (index: number) => `${index} ${"x".repeat(length)}`;
  const changes = Array.from({ length: 30 }, (_, index) => ({ rule: "r", breaking, sentence: sentence(index) }));
  const effects = Array.from({ length: 30 }, (_, index) => ({ part: "request" as const, sentence: sentence(index) }));
  const items = Array.from({ length: 20 }, (_, index) => ({
    ...{ id: `${number}-${index}`, name: sentence(index), effects },
    circles: Array.from({ length: 10 }, () => ({ ...circle, name: sentence(index) })),
  }));
  const path = `/things/${number}/${"p".repeat(length)}`;
  const tests = { total: 1_000, items };
  return { kind: "operation", method: "get", path, breaking, reasons: [], changes, moreCount: 7, tests };
}
const unchanged = { added: [], changed: [], removed: [], unchangedCount: 0, baseUrls: [] };

test("a review of thousands of changes has what fits a page, and counts the rest", () => {
  const changes = Array.from({ length: 4_000 }, (_, index) => change(index, index >= 2_000));
  const cut = cutReview({ ...unchanged, changed: changes, removed: changes, added: changes }, apiId, []);
  expect(JSON.stringify(cut).length).toBeLessThan(40_000);
  expect(cut.counts).toMatchObject({ changed: 4_000, breaking: 6_000, touched: 6_000_000, broken: 120_000 });
  expect(cut.changed.items.length + cut.changed.moreCount).toBe(4_000);
  expect(cut.changed.moreCount).toBeGreaterThan(3_900);
  expect(cut.changed.items[0]).toMatchObject({
    breaking: true,
    sentences: { moreCount: 27 },
    tests: { moreCount: 995 },
  });
});

test("texts of any length are cut, and one change of a list is shown at least", () => {
  const cut = cutReview({ ...unchanged, changed: [change(1, true, 50_000), change(2, true, 50_000)] }, apiId);
  expect(JSON.stringify(cut).length).toBeLessThan(40_000);
  expect([cut.changed.items.length, cut.changed.moreCount]).toEqual([1, 1]);
});

test("lives that the comparison left out are counted with those that the page leaves out", () => {
  const lives = Array.from({ length: 50 }, (_, index) => ({
    ...{ resource: `/things${index}/{}`, name: "thing", circles: Array.from({ length: 10 }, () => circle) },
    steps: [{ rule: "step.removed" as const, sentence: "x".repeat(600), operations: [] }],
  }));
  const cut = cutReview({ ...unchanged, lives: { items: lives, moreCount: 4_312 } }, apiId);
  expect(cut.lives.items.length + cut.lives.moreCount).toBe(4_362);
  expect(cut.lives.items[0]!.sentences[0]!.length).toBeLessThan(400);
  expect(cut.lives.items[0]!.circles!.moreCount).toBe(5);
});
