import { expect, test } from "vitest";
import { bandsOfDay, repeatWords, timeShare } from "./schedule-day";

const zone = { timeZone: "Europe/Berlin" };

test("a window is located by the clock, on days with 23 and 25 hours too", () => {
  // Clocks go from 02:00 to 03:00 on 29 March, and from 03:00 back to 02:00 on 25 October.
  const spring = [{ name: "Move", from: "2026-03-29T10:00:00Z", to: "2026-03-29T16:00:00Z" }];
  expect(bandsOfDay(spring, { ...zone, day: "2026-03-29" })).toEqual([{ name: "Move", from: 0.5, to: 0.75 }]);
  const autumn = [{ name: "Move", from: "2026-10-25T11:00:00Z", to: "2026-10-25T17:00:00Z" }];
  expect(bandsOfDay(autumn, { ...zone, day: "2026-10-25" })).toEqual([{ name: "Move", from: 0.5, to: 0.75 }]);
});

test("a window over midnight has a part on each day, and none on others", () => {
  const windows = [{ name: "Night", from: "2026-06-01T20:00:00Z", to: "2026-06-02T04:00:00Z" }];
  const days = ["2026-06-01", "2026-06-02", "2026-06-03"];
  expect(days.map((day) => bandsOfDay(windows, { ...zone, day }).map(({ from, to }) => [from, to]))).toEqual([
    [[22 / 24, 1]],
    [[0, 6 / 24]],
    [],
  ]);
});

test("frequent regular schedules are summarized in words, others are not", () => {
  const said = (cron: string, times = 96) => repeatWords({ cron }, times);
  expect([said("*/15 * * * *"), said("7 * * * *"), said("* * * * *"), said("0 */5 * * * *")]).toEqual([
    ...["every 15 minutes", "every hour", "every minute", "every 5 minutes"],
  ]);
  expect([said("*/7 * * * *"), said("0 9-17 * * *"), said("0 9 * * 1"), said("*/15 * * * 1")]).toEqual(
    Array(4).fill(undefined),
  );
  expect(repeatWords({ everySeconds: 300 }, 288)).toBe("every 5 minutes");
  expect(repeatWords({ everySeconds: 43_200 }, 2)).toBeUndefined();
});

test("a time is a share of the day", () => {
  expect([timeShare("00:00:00"), timeShare("06:00:00"), timeShare("23:59:59")]).toEqual([0, 0.25, 86_399 / 86_400]);
});
