import { expect, test } from "vitest";
import { toLocal, toMoment } from "./local-moment";

test("a local time is resolved in the zone: the first instant if it occurs twice, right after the gap if it is skipped", () => {
  expect(toMoment("2026-07-01T12:00", "Europe/Berlin")).toBe("2026-07-01T10:00:00.000Z");
  expect(toMoment("2026-10-25T02:30", "Europe/Berlin")).toBe("2026-10-25T00:30:00.000Z");
  expect(toMoment("2026-03-29T02:30", "Europe/Berlin")).toBe("2026-03-29T01:00:00.000Z");
});

test("a moment is shown in the field as the zone's local time", () => {
  expect(toLocal("2026-07-01T10:00:00.000Z", "Europe/Berlin")).toBe("2026-07-01T12:00");
  expect(toMoment(toLocal("2026-10-25T00:30:00.000Z", "Europe/Berlin"), "Europe/Berlin")).toBe(
    "2026-10-25T00:30:00.000Z",
  );
});
