import { expect, test } from "vitest";
import { formatShare, stepWords } from "./trend-words";

test("only all is a hundred per cent, and only none is zero", () => {
  const shares = [1, 0.999_999, 0.9995, 0.984, 0.5, 0.009, 0.000_001, 0, null];
  expect(shares.map(formatShare)).toEqual([
    ...["100 %", "99.99 %", "99.95 %", "98.4 %", "50.0 %"],
    ...["0.90 %", "0.01 %", "0 %", "–"],
  ]);
});

test("a step is named in the zone's time", () => {
  const from = "2026-03-09T23:00:00.000Z";
  expect(stepWords(from, "30d", "Europe/Berlin")).toEqual({ label: "10 Mar", tick: "10 Mar" });
  expect(stepWords(from, "7d", "Europe/Berlin")).toEqual({ label: "10 Mar, 00:00", tick: "10 Mar" });
  expect(stepWords(from, "24h", "America/New_York")).toEqual({ label: "9 Mar, 19:00", tick: "19:00" });
});
