import { expect, test } from "vitest";
import { formatMoment, formatMomentIn } from "./written-moment.ts";

test("a moment is written in UTC by default, whatever its own offset", () => {
  expect(formatMoment("2026-11-21T14:03:09Z")).toBe("21 Nov 2026, 14:03 UTC");
  expect(formatMoment("2026-01-01T00:30:00+02:00")).toBe("31 Dec 2025, 22:30 UTC");
});

test("a moment is written with an offset before or after UTC, which is stated", () => {
  expect(formatMoment("2026-12-31T23:30:00Z", false, 60)).toBe("1 Jan 2027, 00:30 UTC+1");
  expect(formatMoment("2026-11-21T02:15:09Z", true, -210)).toBe("20 Nov 2026, 22:45:09 UTC−3:30");
  expect(formatMoment("2026-11-21T14:03:09Z", false, 345)).toBe("21 Nov 2026, 19:48 UTC+5:45");
  expect(formatMoment("2026-12-31T23:30:00Z", false, 60, { 60: "CET" })).toBe("1 Jan 2027, 00:30 CET");
});

test("seconds are written for events in quick succession", () => {
  expect(formatMoment("2026-11-21T14:03:09.750Z", true)).toBe("21 Nov 2026, 14:03:09 UTC");
});

test("a moment is written by the clocks of a zone, with its short name where there is one", () => {
  expect(formatMomentIn("Europe/Berlin", "2026-12-31T23:30:00Z")).toBe("1 Jan 2027, 00:30 CET");
  expect(formatMomentIn("Europe/Berlin", "2026-06-30T22:00:00Z")).toBe("1 Jul 2026, 00:00 CEST");
  expect(formatMomentIn("Asia/Tokyo", "2026-12-31T23:30:00Z")).toBe("1 Jan 2027, 08:30 UTC+9");
  expect(formatMomentIn("UTC", "2026-12-31T23:30:00Z")).toBe("31 Dec 2026, 23:30 UTC");
});
