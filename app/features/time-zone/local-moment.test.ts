import { expect, test } from "vitest";
import { localOf, momentOf } from "./local-moment";

test("a time is that of the zone's clocks, the first where they show it twice, right after where they skip it", () => {
  expect(momentOf("2026-07-01T12:00", "Europe/Berlin")).toBe("2026-07-01T10:00:00.000Z");
  expect(momentOf("2026-10-25T02:30", "Europe/Berlin")).toBe("2026-10-25T00:30:00.000Z");
  expect(momentOf("2026-03-29T02:30", "Europe/Berlin")).toBe("2026-03-29T01:00:00.000Z");
});

test("a moment comes back into the field as the zone's clocks show it", () => {
  expect(localOf("2026-07-01T10:00:00.000Z", "Europe/Berlin")).toBe("2026-07-01T12:00");
  expect(momentOf(localOf("2026-10-25T00:30:00.000Z", "Europe/Berlin"), "Europe/Berlin")).toBe(
    "2026-10-25T00:30:00.000Z",
  );
});
