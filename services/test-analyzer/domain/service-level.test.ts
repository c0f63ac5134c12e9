import { expect, test } from "vitest";
import { measureLevel, windowStart } from "./service-level.ts";

const none = { good: 0, bad: 0 };
const level = { objective: 99.5, days: 30 };

test("for 99.5 % in 30 days, 216 minutes or one result in 200 may be bad", () => {
  const measured = measureLevel(level, { good: 998, bad: 2 }, [none, none, none]);
  expect(measured.share).toBe(0.998);
  expect(measured.budget!.allowed).toBeCloseTo(5);
  expect(measured.budget!.left).toBeCloseTo(0.6);
  expect(measured.budget!.minutes).toBeCloseTo(216);
  expect(measured.budget!.minutesLeft).toBeCloseTo(129.6);
  expect(measured).toMatchObject({ isFast: false, exhaustedInMinutes: null });
});

test("a burn rate of 1 uses the budget up in its period, one of 10 in a tenth of it", () => {
  const measured = measureLevel(level, { good: 100_000, bad: 0 }, [none, { good: 95, bad: 5 }, { good: 199, bad: 1 }]);
  expect(measured.burn.map(({ rate }) => rate && Math.round(rate * 100) / 100)).toEqual([null, 10, 1]);
  expect(measured.exhaustedInMinutes).toBeCloseTo(3 * 1_440);
});

test("without results in six hours, the pace is that of three days", () => {
  const { exhaustedInMinutes } = measureLevel(level, { good: 100_000, bad: 0 }, [none, none, { good: 99, bad: 1 }]);
  expect(exhaustedInMinutes).toBeCloseTo(15 * 1_440);
});

test("a budget of 30 days burns fast from 14.4 in an hour or 6 in six hours, as in the workbook", () => {
  const isFast = (hour: number, sixHours: number) =>
    measureLevel({ objective: 90, days: 30 }, { good: 100, bad: 0 }, [
      { good: 1_000 - hour, bad: hour },
      { good: 1_000 - sixHours, bad: sixHours },
      none,
    ]).isFast;
  expect([isFast(0, 599), isFast(0, 600)]).toEqual([false, true]);
  const strict = measureLevel({ objective: 99, days: 30 }, none, [{ good: 856, bad: 144 }, none, none]);
  expect(strict.isFast).toBe(true);
  expect(measureLevel({ objective: 99, days: 30 }, none, [{ good: 857, bad: 143 }, none, none]).isFast).toBe(false);
});

test("an overdrawn budget has no time left and nothing to use up", () => {
  const measured = measureLevel(level, { good: 90, bad: 10 }, [none, { good: 0, bad: 10 }, none]);
  expect(measured.budget).toMatchObject({ minutesLeft: 0 });
  expect(measured.budget!.left).toBeLessThan(0);
  expect(measured.exhaustedInMinutes).toBeNull();
});

test("before the first result all figures are unknown", () => {
  expect(measureLevel(level, none, [none, none, none])).toEqual({
    ...{ good: 0, bad: 0, share: null, budget: null, isFast: false, exhaustedInMinutes: null },
    burn: [1, 6, 72].map((hours) => ({ hours, rate: null })),
  });
});

test("windows begin on the hour", () => {
  const now = new Date("2026-03-10T12:30:00Z");
  expect([1, 6].map((hours) => windowStart(now, hours).toISOString())).toEqual([
    "2026-03-10T11:00:00.000Z",
    "2026-03-10T06:00:00.000Z",
  ]);
});
