import { expect, test } from "vitest";
import type { OperationChange } from "#contracts/api-registry/comparisons.ts";
import { digestOf, nextLook, nextLookAfterFailure, reviewChange } from "./document-watch.ts";

const now = new Date("2026-03-10T12:00:00Z");
const watch = { apiId: "0190a000-0000-7000-8000-000000000001", everyMinutes: 60 };
const minutesUntil = (date: Date) => Math.floor((date.getTime() - now.getTime()) / 60_000);

test("looks that fail are repeated sooner at first, then less and less often, up to six hours", () => {
  expect(minutesUntil(nextLook(watch, now))).toBe(60);
  const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 200].map((failures) => nextLookAfterFailure(watch, failures, now));
  expect(pauses.map(minutesUntil)).toEqual([5, 10, 20, 40, 80, 160, 320, 360, 360]);
  const daily = { ...watch, everyMinutes: 1_440 };
  expect(minutesUntil(nextLookAfterFailure(daily, 200, now))).toBe(1_440);
});

test("the digest depends on every file, and not on the order in which the others came", () => {
  const [main, one, other] = ["a", "b", "c"].map((name) => ({ url: `https://example.com/${name}`, sha256: name }));
  expect(digestOf([main!, one!, other!])).toBe(digestOf([main!, other!, one!]));
  expect(digestOf([main!, one!])).not.toBe(digestOf([main!, { ...one!, sha256: "changed" }]));
});

function change(path: string, breaking: boolean, more: Partial<OperationChange> = {}): OperationChange {
  const sentence = "A property is gone.";
  const changes = [{ rule: "response.property.removed", breaking, sentence }];
  return { kind: "operation", method: "get", path, breaking, reasons: [sentence], changes, moreCount: 0, ...more };
}
const none = { added: [], changed: [], removed: [] };

test("nothing breaks where operations are added or changed in a compatible way", () => {
  expect(reviewChange({ ...none, added: [change("/a", false)], changed: [change("/b", false)] })).toEqual({
    ...{ breakingCount: 0, isSame: false },
    reason: "Nothing breaks by the document: 1 operation added, 1 changed.",
  });
  expect(reviewChange(none)).toMatchObject({ isSame: true });
});

test("a compatible change breaks where an assertion of a test would fail", () => {
  const effects = [{ part: "assertion" as const, position: 1, sentence: "It expects the property." }];
  const circles = [{ id: "0190a000-0000-7000-8000-0000000000c1", name: "Daily", schedules: 1 }];
  const tests = { total: 3, items: [{ id: "0190a000-0000-7000-8000-0000000000a1", name: "One", effects, circles }] };
  expect(reviewChange({ ...none, changed: [change("/b", false, { tests })] })).toMatchObject({
    breakingCount: 1,
    reason: "1 operation breaks. GET /b: A property is gone. It touches 3 tests and 1 circle.",
  });
});

test("many breaking operations are counted, and sentences are bounded", () => {
  const removed = Array.from({ length: 200 }, (_, index) => change(`/${"x".repeat(300)}${index}`, true));
  const { reason, breakingCount } = reviewChange({ ...none, removed });
  expect(breakingCount).toBe(200);
  expect(reason).toMatch(/^200 operations break\..*And 195 more\.$/);
  expect(reason.length).toBeLessThan(1_000);
});
