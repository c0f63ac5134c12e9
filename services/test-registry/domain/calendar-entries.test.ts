import { expect, test } from "vitest";
import { listCalendarEntries } from "./calendar-entries.ts";

const at = (text: string) => Date.parse(text);
const entries = (cron: string, after: string, days: number) =>
  listCalendarEntries({ cron, timeZone: "Europe/Berlin", spreadSeconds: 0 }, { after: at(after), days }).map(
    ({ from, to, times }) => [new Date(from).toISOString(), (to - from) / 60_000, times],
  );

test("each run of the coming days is an entry, by the zone's days", () => {
  expect(entries("30 0,7 * * *", "2026-10-24T12:00:00Z", 3)).toEqual([
    ["2026-10-24T22:30:00.000Z", 15, 1],
    ["2026-10-25T06:30:00.000Z", 15, 1],
    ["2026-10-25T23:30:00.000Z", 15, 1],
    ["2026-10-26T06:30:00.000Z", 15, 1],
  ]);
});

test("many runs in a day are one entry from the first to the last", () => {
  expect(entries("*/10 8-17 * * 1", "2026-06-01T06:05:00Z", 8)).toEqual([
    ["2026-06-01T06:10:00.000Z", 9 * 60 + 55, 59],
    ["2026-06-08T06:00:00.000Z", 10 * 60 + 5, 60],
  ]);
});
