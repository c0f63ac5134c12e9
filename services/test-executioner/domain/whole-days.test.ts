import { expect, test } from "vitest";
import { startOfDay } from "#libraries/time-zone/wall-clock.ts";
import { countByDays } from "./whole-days.ts";

const hour = 3_600_000;
const now = Date.parse("2026-11-22T14:20:00Z");
const getDays = (zone: string, days: number) => [
  ...Array.from({ length: days }, (_, index) => new Date(startOfDay(zone, now, index + 1 - days))),
  new Date(now),
];

test("UTC days are read whole; only the rest of the current one is read by hours", () => {
  const { midnights, gaps } = countByDays(getDays("UTC", 90))!;
  expect(midnights.slice(0, -1)).toEqual(getDays("UTC", 90).slice(0, -1));
  expect(gaps).toEqual([{ from: new Date(now), until: new Date("2026-11-23T00:00:00Z"), of: 90, to: 91 }]);
});

test("a zone's days need the hours by which its midnights are off, on the shorter side", () => {
  const getHours = (zone: string) => {
    const { gaps } = countByDays(getDays(zone, 90))!;
    // All but the rest of the current day.
    return gaps.slice(0, -1).reduce((sum, { from, until }) => sum + (until.getTime() - from.getTime()) / hour, 0) / 90;
  };
  expect(getHours("Europe/Berlin")).toBeLessThan(2);
  expect(getHours("Asia/Kolkata")).toBe(5.5);
  expect(getHours("America/Los_Angeles")).toBeLessThan(8);
  expect(getHours("Australia/Lord_Howe")).toBeLessThan(11);
  expect(getHours("Pacific/Kiritimati")).toBe(10);
});

test("hours between a bound and its midnight count to their own step", () => {
  const [east, west] = ["Asia/Kolkata", "America/New_York"].map((zone) => countByDays(getDays(zone, 30))!.gaps[1]);
  const midnight = Date.parse("2026-10-25T00:00:00Z");
  expect(east).toEqual({ from: new Date(midnight - 5.5 * hour), until: new Date(midnight), of: 1, to: 2 });
  expect(west).toEqual({ from: new Date(midnight), until: new Date(midnight + 4 * hour), of: 2, to: 1 });
});

test("a range of hours or quarters of days is read by hours", () => {
  const steps = (length: number, count: number) =>
    Array.from({ length: count + 1 }, (_, index) => new Date(now - (count - index) * length * hour));
  expect(countByDays(steps(1, 24))).toBeNull();
  expect(countByDays(steps(6, 28))).toBeNull();
  expect(countByDays(steps(24, 30))).not.toBeNull();
});
