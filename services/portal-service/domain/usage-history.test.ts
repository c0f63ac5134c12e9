import { expect, test } from "vitest";
import { daysUntil, monthsUntil } from "./usage-history.ts";

test("months go back across the turn of the year, in UTC and whatever the day", () => {
  expect(monthsUntil(new Date("2026-03-31T23:59:59Z"), 5)).toEqual([
    ...["2025-11", "2025-12", "2026-01", "2026-02", "2026-03"],
  ]);
});

test("days begin with the month, and its first day yields one", () => {
  expect(daysUntil(new Date("2026-03-01T00:00:00Z"))).toEqual(["2026-03-01"]);
  expect(daysUntil(new Date("2028-02-29T23:59:59Z")).at(-1)).toBe("2028-02-29");
});
