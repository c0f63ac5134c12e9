import { expect, test } from "vitest";
import { formatMoment } from "./moment";

test("a moment is said in UTC, whatever zone it was written in", () => {
  expect(formatMoment("2026-11-21T14:03:09Z")).toBe("21 Nov 2026, 14:03 UTC");
  expect(formatMoment("2026-01-01T00:30:00+02:00")).toBe("31 Dec 2025, 22:30 UTC");
});

test("seconds are said where things follow each other quickly", () => {
  expect(formatMoment("2026-11-21T14:03:09.750Z", true)).toBe("21 Nov 2026, 14:03:09 UTC");
});
