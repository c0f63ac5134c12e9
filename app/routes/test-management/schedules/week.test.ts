import { expect, test } from "vitest";
import { daysAfter, getWeek, weekWords } from "./week";

const now = Date.parse("2026-03-29T22:30:00Z");

test("a week begins on Monday in the zone's local time, and may be an hour shorter", () => {
  // In Berlin it is Monday already; clocks were changed on the Sunday before.
  expect(getWeek(null, "Europe/Berlin", now).days[0]).toBe("2026-03-30");
  expect(getWeek(null, "UTC", now).days).toEqual([
    ...["2026-03-23", "2026-03-24", "2026-03-25", "2026-03-26", "2026-03-27", "2026-03-28", "2026-03-29"],
  ]);
  expect(getWeek("2026-03-25", "Europe/Berlin", now)).toMatchObject({
    from: "2026-03-22T23:00:00.000Z",
    to: "2026-03-29T22:00:00.000Z",
  });
});

test("an invalid date, or one of another century, means the current week", () => {
  const running = getWeek(null, "UTC", now);
  for (const date of ["", "soon", "2026-13-41", "1850-01-01", "9999-12-31"]) {
    expect(getWeek(date, "UTC", now)).toEqual(running);
  }
});

test("a week is named by its days, with months and years only as often as needed", () => {
  expect(weekWords(getWeek("2026-11-25", "UTC", now))).toBe("23 to 29 November 2026");
  expect(weekWords(getWeek("2026-12-01", "UTC", now))).toBe("30 November to 6 December 2026");
  expect(weekWords(getWeek("2027-01-01", "UTC", now))).toBe("28 December 2026 to 3 January 2027");
  expect(daysAfter("2026-12-28", 7)).toBe("2027-01-04");
});
