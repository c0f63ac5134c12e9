import { expect, test } from "vitest";
import { burnsFast } from "./service-level.ts";

const now = new Date("2026-03-10T12:00:00Z");
/** Runs as age in minutes and good of all results: `3 9/10`. */
const ran = (...runs: string[]) =>
  runs.map((run) => {
    const [minutes, share] = run.split(" ") as [string, string];
    const [passed, all] = share.split("/").map(Number) as [number, number];
    return {
      finishedAt: new Date(now.getTime() - Number(minutes) * 60_000).toISOString(),
      ...{ passed, notPassed: all - passed },
    };
  });

// Limits for 30 days by the Site Reliability Workbook, table 5-6; for other periods, the same share of the budget.
test.each([
  // 99.9 %: 1.44 % bad is 14.4 times the allowed share, 0.6 % is 6 times.
  ["nothing ran", 99.9, 30, null, null, ran(), false],
  ["all is good", 99.9, 30, 0, 0, ran("1 10/10"), false],
  ["an hour and five minutes burn", 99.9, 30, 14.4, 1, ran("1 9856/10000"), true],
  ["the hour is just below", 99.9, 30, 14.3, 1, ran("1 9/10"), false],
  ["the five minutes are just below", 99.9, 30, 14.4, 1, ran("1 9857/10000"), false],
  ["the hour burned, and the last five minutes are good", 99.9, 30, 80, 5, ran("1 10/10", "6 0/10"), false],
  ["of five minutes, bad and good runs together", 99.9, 30, 80, 5, ran("1 10/10", "4 0/10"), true],
  ["six hours and half an hour burn", 99.9, 30, 6, 6, ran("1 994/1000"), true],
  ["six hours are just below", 99.9, 30, 6, 5.9, ran("1 994/1000"), false],
  ["half an hour is just below", 99.9, 30, 6, 6, ran("1 995/1000"), false],
  ["bad within the half hour, good for five minutes", 99.9, 30, 13, 7, ran("1 10/10", "29 0/10"), true],
  ["bad before the half hour only", 99.9, 30, 13, 7, ran("1 10/10", "31 0/10"), false],
  ["run hourly: the last run counts for the five minutes", 99.9, 30, 500, 100, ran("55 5/10", "115 10/10"), true],
  ["run hourly, and the last one was good", 99.9, 30, 500, 3, ran("55 10/10", "115 5/10"), false],
  // Of a week's budget, a fiftieth is consumed in an hour at 3.36, a twentieth in six hours at 1.4.
  ["of seven days: an hour", 99, 7, 3.36, 1, ran("1 966/1000"), true],
  ["of seven days: just below", 99, 7, 3.35, 1, ran("1 966/1000"), false],
  ["of seven days: six hours", 99, 7, 1, 1.4, ran("1 986/1000"), true],
  ["of 90 days: an hour", 99.9, 90, 43.2, 1, ran("1 95/100"), true],
  ["of 90 days: just below", 99.9, 90, 43.1, 1, ran("1 95/100"), false],
  ["nothing of an hour, all of six", 99.9, 30, null, 10, ran("90 0/10"), true],
])("a fast burn of the budget: %s", (_, objective, days, hour, sixHours, runs, expected) => {
  const burn = [
    { hours: 1, rate: hour },
    { hours: 6, rate: sixHours },
    { hours: 72, rate: 1_000 },
  ];
  expect(burnsFast({ objective, days }, burn, runs, now)).toBe(expected);
});
