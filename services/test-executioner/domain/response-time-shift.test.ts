import { expect, test } from "vitest";
import { findShift } from "./response-time-shift.ts";

const start = Date.parse("2026-03-01T00:00:00Z");
const hourly = (times: number[]) =>
  times.map((milliseconds, hour) => ({ hour: new Date(start + hour * 3_600_000), milliseconds }));

/** The same numbers each time (a linear congruential generator), nearly normal. */
function noise(seed: number) {
  let state = seed;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return () => Array.from({ length: 12 }, next).reduce((sum, value) => sum + value, -6);
}
const spreadBy = (seed: number, count: number, milliseconds: number, spread: number) => {
  const draw = noise(seed);
  return Array.from({ length: count }, () => milliseconds * Math.exp(spread * draw()));
};

test("a doubled time is found at the hour of the change, with the usual time", () => {
  const shift = findShift(hourly([...spreadBy(1, 200, 100, 0.1), ...spreadBy(2, 20, 200, 0.1)]))!;
  expect(shift.since).toBe(new Date(start + 200 * 3_600_000).toISOString());
  expect(shift.usual).toBeCloseTo(100, -1);
  expect(Math.abs(shift.milliseconds - 200)).toBeLessThan(20);
  expect([shift.usualLeast < 95, shift.usualMost > 105]).toEqual([true, true]);
});

test("a shift is reported although single hours come close to the usual", () => {
  const shift = findShift(hourly([...spreadBy(7, 300, 120, 0.18), ...spreadBy(8, 40, 228, 0.18)]));
  expect(shift?.since).toBe(new Date(start + 300 * 3_600_000).toISOString());
});

test("faster is a shift, too", () => {
  expect(findShift(hourly([...spreadBy(3, 100, 300, 0.1), ...spreadBy(4, 5, 100, 0.1)]))?.milliseconds).toBeLessThan(
    150,
  );
});

test("usual spread is no shift, however many series are examined", () => {
  const found = Array.from({ length: 400 }, (_, seed) => findShift(hourly(spreadBy(seed + 1, 240, 100, 0.3))));
  expect(found.filter((shift) => shift !== null)).toEqual([]);
});

test("a slow hour, or a few that are over, are no shift", () => {
  const usual = spreadBy(5, 100, 100, 0.1);
  expect(findShift(hourly([...usual, 900]))).toBeNull();
  expect(findShift(hourly([...usual, 900, 900, 900, ...spreadBy(6, 20, 100, 0.1)]))).toBeNull();
});

test("too few hours give no result", () => {
  expect(findShift([])).toBeNull();
  expect(findShift(hourly([100, 100, 100, 900, 900, 900]))).toBeNull();
});

test("a series splits at the position found by trying every position", () => {
  const cost = (values: number[]) => {
    const median = values.toSorted((one, other) => one - other)[Math.floor(0.5 * (values.length - 1))]!;
    return values.reduce((sum, value) => sum + Math.abs(value - median), 0);
  };
  for (let seed = 1; seed <= 20; seed += 1) {
    const times = [...spreadBy(seed, 30 + 3 * seed, 100, 0.2), ...spreadBy(seed + 100, 10 + seed, 400, 0.2)];
    const logs = times.map((time) => Math.log(time));
    const locations = Array.from({ length: logs.length - 14 }, (_, index) => index + 12);
    const costs = locations.map((at) => cost(logs.slice(0, at)) + cost(logs.slice(at)));
    const best = locations[costs.indexOf(Math.min(...costs))]!;
    expect(findShift(hourly(times))?.since).toBe(new Date(start + best * 3_600_000).toISOString());
  }
});
