import { expect, test } from "vitest";
import { readMoment, toMoment, toTyped } from "./local-moment";

test("a local time is resolved in the zone: the first instant if it occurs twice, right after the gap if it is skipped", () => {
  expect(toMoment("2026-07-01T12:00", "Europe/Berlin")).toBe("2026-07-01T10:00:00.000Z");
  expect(toMoment("2026-10-25T02:30", "Europe/Berlin")).toBe("2026-10-25T00:30:00.000Z");
  expect(toMoment("2026-03-29T02:30", "Europe/Berlin")).toBe("2026-03-29T01:00:00.000Z");
});

test("a moment keeps its value when formatted for its field and parsed again", () => {
  expect(toTyped("2026-07-01T10:00:00.000Z", "Europe/Berlin")).toBe("2026-07-01 12:00");
  for (const moment of ["2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z", "2026-11-27T21:00:00.000Z"]) {
    expect(readMoment(toTyped(moment, "Europe/Berlin"), "Europe/Berlin")).toBe(moment);
  }
  expect(toTyped("2026-10-25T01:30:00.000Z", "Europe/Berlin")).toBe("2026-10-25 02:30 +01:00");
});
