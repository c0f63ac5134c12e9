import { expect, test } from "vitest";
import { PollPace } from "./poll-pace.ts";

test("looks are a second apart, five after ten empty ones in a row, and a second again after a find", () => {
  const pace = new PollPace();
  const intervals = Array.from({ length: 12 }, () => {
    pace.record(false);
    return pace.milliseconds;
  });
  expect(intervals).toEqual([...Array(9).fill(1_000), ...Array(3).fill(5_000)]);
  pace.record(true);
  expect(pace.milliseconds).toBe(1_000);
});
