import { expect, test } from "vitest";
import { isAway, mostRefusals, secondsAfterRefusal } from "./redelivery.ts";

test("pauses double from a second to five minutes, and what is parked is tried hourly", () => {
  const pauses = Array.from({ length: mostRefusals + 1 }, (_, index) => secondsAfterRefusal(index + 1));
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 3_600, 3_600]);
});

test("who does not answer, or can't now, is away; every other answer but a success refuses", () => {
  expect([400, 401, 404, 409, 422, 429, 500, 502, 503, 504].filter(isAway)).toEqual([429, 502, 503, 504]);
});
