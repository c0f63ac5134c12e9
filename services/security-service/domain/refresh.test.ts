import { expect, test } from "vitest";
import { accessSecondsUntil, judgeRefresh } from "./refresh.ts";

const now = new Date("2026-03-01T12:00:00Z");
const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);

test("a token used for the first time is rotated", () => {
  expect(judgeRefresh(null, now, 10_000)).toBe("rotate");
});

test("a token used again within ten seconds is a parallel request, and one millisecond later it is reuse", () => {
  expect(judgeRefresh(before(10_000), now, 10_000)).toBe("repeat");
  expect(judgeRefresh(before(10_001), now, 10_000)).toBe("reuse");
});

test("an access token never outlives its family", () => {
  expect(accessSecondsUntil(before(-3_600_000), now)).toBe(300);
  expect(accessSecondsUntil(before(-42_900), now)).toBe(42);
});
