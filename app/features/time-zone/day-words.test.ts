import { expect, test } from "vitest";
import { dayWords } from "./day-words";

test("a day is that of the zone's calendar, on either side of midnight", () => {
  const moment = "2026-10-31T23:30:00Z";
  expect(dayWords(moment, "UTC")).toBe("31 Oct 2026");
  expect(dayWords(moment, "Europe/Berlin")).toBe("1 Nov 2026");
  expect(dayWords("2027-01-01T02:00:00Z", "America/New_York")).toBe("31 Dec 2026");
});
