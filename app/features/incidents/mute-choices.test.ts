import { expect, test } from "vitest";
import { isMuteChoice, muteChoices } from "./mute-choices";

// 23:30 on the day before clocks go forward in Berlin.
const now = new Date("2026-03-28T22:30:00Z");

test("hours are elapsed hours, a morning is the next one by the clocks of the zone", () => {
  expect(muteChoices["1h"].until(now)).toBe("2026-03-28T23:30:00.000Z");
  expect(muteChoices["4h"].until(now)).toBe("2026-03-29T02:30:00.000Z");
  expect(muteChoices.tomorrow.until(now, "Europe/Berlin")).toBe("2026-03-29T07:00:00.000Z");
  expect(muteChoices.tomorrow.until(now, "UTC")).toBe("2026-03-29T09:00:00.000Z");
  // Already the 29th there.
  expect(muteChoices.tomorrow.until(now, "Asia/Tokyo")).toBe("2026-03-30T00:00:00.000Z");
});

test("no other value is a choice", () => {
  expect(["1h", "tomorrow"].every(isMuteChoice)).toBe(true);
  expect(["", "2h", "toString", null].some(isMuteChoice)).toBe(false);
});
