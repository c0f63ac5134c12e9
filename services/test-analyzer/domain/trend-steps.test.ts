import { expect, test } from "vitest";
import { trendRanges } from "#contracts/test-analyzer/trends.ts";
import { getStepStarts } from "./trend-steps.ts";

const written = (starts: Date[]) => starts.map((start) => start.toISOString());

test("24 hours are 24 steps, the current hour last", () => {
  const starts = written(getStepStarts("24h", "Europe/Berlin", new Date("2026-03-10T12:30:00Z")));
  expect(starts).toHaveLength(24);
  expect([starts[0], starts.at(-1)]).toEqual(["2026-03-09T13:00:00.000Z", "2026-03-10T12:00:00.000Z"]);
});

test("days begin at midnight of the zone, today is the last", () => {
  const starts = written(getStepStarts("30d", "Asia/Kolkata", new Date("2026-03-10T20:00:00Z")));
  expect(starts).toHaveLength(30);
  expect(starts.slice(-2)).toEqual(["2026-03-09T18:30:00.000Z", "2026-03-10T18:30:00.000Z"]);
});

test("a week has quarter-day steps", () => {
  const starts = written(getStepStarts("7d", "America/New_York", new Date("2026-01-10T12:00:00Z")));
  expect(starts).toHaveLength(28);
  expect(starts.slice(-2)).toEqual(["2026-01-10T05:00:00.000Z", "2026-01-10T11:00:00.000Z"]);
});

test("a day with a clock change is an hour shorter or longer", () => {
  const spring = written(getStepStarts("30d", "Europe/Berlin", new Date("2026-03-31T12:00:00Z")));
  expect(spring.slice(-3)).toEqual([
    "2026-03-28T23:00:00.000Z",
    "2026-03-29T22:00:00.000Z",
    "2026-03-30T22:00:00.000Z",
  ]);
});

test("a day whose midnight is skipped begins right after it", () => {
  const starts = written(getStepStarts("30d", "Africa/Cairo", new Date("2026-04-24T12:00:00Z")));
  expect(starts.at(-1)).toBe("2026-04-23T22:00:00.000Z");
});

test("in every zone and at any time steps are consecutive up to now", () => {
  for (const timeZone of Intl.supportedValuesOf("timeZone")) {
    for (const now of ["2026-01-01T00:00:00Z", "2026-04-05T15:17:00Z", "2026-11-01T06:59:59Z"].map(
      (at) => new Date(at),
    )) {
      for (const range of trendRanges) {
        const starts = getStepStarts(range, timeZone, now).map(Number);
        const gaps = starts.slice(1).map((start, index) => start - starts[index]!);
        expect(Math.min(...gaps), `${timeZone} ${range}`).toBeGreaterThan(0);
        expect(starts.at(-1)! <= now.getTime(), `${timeZone} ${range}`).toBe(true);
      }
    }
  }
});
