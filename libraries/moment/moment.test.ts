import { expect, test } from "vitest";
import { formatSpan, parseMoment, parseSpan } from "./moment.ts";

const iso = (text: string) => {
  const moment = parseMoment(text);
  return moment === undefined ? undefined : new Date(Number(moment / 1_000_000n)).toISOString();
};

test.each([
  ["2026-11-27T21:00:00+01:00", "2026-11-27T20:00:00.000Z"],
  ["2026-11-27T21:00:00Z", "2026-11-27T21:00:00.000Z"],
  ["2026-11-27t21:00:00.5z", "2026-11-27T21:00:00.500Z"],
  ["2026-11-27 21:00:00-08:30", "2026-11-28T05:30:00.000Z"],
  ["2026-11-27", "2026-11-27T00:00:00.000Z"],
  ["2024-02-29", "2024-02-29T00:00:00.000Z"],
  ["0001-01-01", "0001-01-01T00:00:00.000Z"],
  ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
  ["Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37.000Z"],
  ["Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37.000Z"],
  ["Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37.000Z"],
  ["1732700000", "2024-11-27T09:33:20.000Z"],
  ["1732700000.25", "2024-11-27T09:33:20.250Z"],
  ["1732700000123", "2024-11-27T09:33:20.123Z"],
  ["0", "1970-01-01T00:00:00.000Z"],
  ["-1", "1969-12-31T23:59:59.000Z"],
])("%s is %s", (text, expected) => {
  expect(iso(text)).toBe(expected);
});

test.each([
  "",
  "now",
  "tomorrow",
  "2026-11-27T21:00:00",
  "2026-02-30",
  "2026-02-29T00:00:00Z",
  "2026-13-01",
  "2026-11-27T24:00:00Z",
  "2026-11-27T21:00Z",
  "2026-11-27T21:00:00+24:00",
  "27.11.2026",
  "Sun, 31 Feb 1994 08:49:37 GMT",
  "Sun, 06 Nov 1994 08:49:37 CET",
  "1e9",
])("%j is not a date", (text) => {
  expect(parseMoment(text)).toBeUndefined();
});

test("moments a microsecond apart differ", () => {
  const [earlier, later] = ["2026-11-27T21:00:00.000001Z", "2026-11-27T21:00:00.000002Z"].map(parseMoment);
  expect(later! - earlier!).toBe(1_000n);
});

test.each([
  ["1 min", 60_000_000_000n],
  ["90s", 90_000_000_000n],
  ["1.5 h", 5_400_000_000_000n],
  ["250 ms", 250_000_000n],
  ["7 days", 604_800_000_000_000n],
  ["1 minute", 60_000_000_000n],
  ["min", undefined],
  ["5", undefined],
  ["-1 min", undefined],
  ["3 months", undefined],
])("the span %s is %s ns", (text, expected) => {
  expect(parseSpan(text)).toBe(expected);
});

test.each([
  [0n, "0 s"],
  [1_500n, "0.0015 ms"],
  [250_000_000n, "250 ms"],
  [1_500_000_000n, "1.5 s"],
  [180_000_000_000n, "3 min"],
  [200_000_000_000n, "3 min 20 s"],
  [7_500_000_000_000n, "2 h 5 min"],
  [100_000_000_000_000n, "1 d 3 h"],
])("%s ns are written as %s", (nanoseconds, text) => {
  expect(formatSpan(nanoseconds)).toBe(text);
});
