import { expect, test } from "vitest";
import { fillPoints, startOfPeriod } from "./trend.ts";

const now = new Date("2026-03-10T12:30:00Z");

test("a period of days has as many points, today among them", () => {
  const from = startOfPeriod(now, 14, "day");
  expect(from.toISOString()).toBe("2026-02-25T00:00:00.000Z");
  expect(fillPoints([], from, now, "day")).toHaveLength(14);
});

test("a period of hours ends with the hour that is running", () => {
  const points = fillPoints([], startOfPeriod(now, 1, "hour"), now, "hour");
  expect(points).toHaveLength(24);
  expect(points.at(-1)?.from).toBe("2026-03-10T12:00:00.000Z");
});

test("points that are known take their places", () => {
  const known = {
    from: "2026-03-09T00:00:00.000Z",
    executions: 3,
    passed: 3,
    failed: 0,
    errored: 0,
    flaky: 0,
    p50: 1,
    p95: 2,
  };
  const points = fillPoints([known], startOfPeriod(now, 3, "day"), now, "day");
  expect(points.map((point) => point.executions)).toEqual([0, 3, 0]);
});
