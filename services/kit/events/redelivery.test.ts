import { expect, test } from "vitest";
import { isUnavailable, maxRefusals, secondsAfterRefusal } from "./redelivery.ts";

test("pauses double from a second to five minutes, and a parked event is retried hourly", () => {
  const pauses = Array.from({ length: maxRefusals + 1 }, (_, index) => secondsAfterRefusal(index + 1));
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 3_600, 3_600]);
});

test("a consumer without a response, or temporarily unable to respond, is unavailable; every other error refuses", () => {
  expect([400, 401, 404, 409, 422, 429, 500, 502, 503, 504].filter(isUnavailable)).toEqual([429, 502, 503, 504]);
});
