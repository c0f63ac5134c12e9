import { expect, test } from "vitest";
import { isMuteChoice, muteChoices } from "./mute-choices";

// 23:30 of the day before the clocks are set forward in Berlin.
const now = new Date("2026-03-28T22:30:00Z");

test("hours are those that pass, a morning is the next one by the clocks of the zone", () => {
  expect(muteChoices["1h"].until(now)).toBe("2026-03-28T23:30:00.000Z");
  expect(muteChoices["4h"].until(now)).toBe("2026-03-29T02:30:00.000Z");
  expect(muteChoices.tomorrow.until(now, "Europe/Berlin")).toBe("2026-03-29T07:00:00.000Z");
  expect(muteChoices.tomorrow.until(now, "UTC")).toBe("2026-03-29T09:00:00.000Z");
  // There it is the 29th already.
  expect(muteChoices.tomorrow.until(now, "Asia/Tokyo")).toBe("2026-03-30T00:00:00.000Z");
});

test("nothing else is a choice", () => {
  expect(["1h", "tomorrow"].every(isMuteChoice)).toBe(true);
  expect(["", "2h", "toString", null].some(isMuteChoice)).toBe(false);
});
