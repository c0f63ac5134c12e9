import { expect, test } from "vitest";
import { clockChanges, type ZoneTable } from "../../testing/clock-changes.ts";
import { parseCron } from "./cron-expression.ts";
import { listMoments, nextAfter } from "./recurrence.ts";

const minute = 60_000;
const hour = 60 * minute;
const start = Date.parse("2026-01-01T00:00:00Z");
const end = Date.parse("2036-01-01T00:00:00Z");

/** Simulates a clock changed according to the table, minute by minute, and records when times of day count. */
function watchClock(table: ZoneTable, cron: string, from: number, to: number): number[] {
  const { runsEveryHour, minutesOfDay } = parseCron(cron);
  const times = new Set(minutesOfDay);
  const counts = (wall: number) => times.has(Math.floor(wall / minute) % 1_440);
  const changes = table.changes.map(([instant, ahead]) => ({ at: Date.parse(instant), ahead: ahead * minute }));
  let ahead = table.minutesAhead * minute;
  while (changes[0] && changes[0].at <= from) ahead = changes.shift()!.ahead;
  let latest = from + ahead;
  const counted: number[] = [];
  for (let instant = from + minute; instant <= to; instant += minute) {
    while (changes[0] && changes[0].at <= instant) ahead = changes.shift()!.ahead;
    const wall = instant + ahead;
    if (runsEveryHour) {
      if (counts(wall)) counted.push(instant);
      continue;
    }
    // Local times passed since the last new one.
    let isPassed = false;
    for (let passed = latest + minute; passed <= wall; passed += minute) isPassed ||= counts(passed);
    if (isPassed) counted.push(instant);
    latest = Math.max(latest, wall);
  }
  return counted;
}

const collectMoments = (cron: string, timeZone: string, from: number, until: number) =>
  listMoments({ cron, timeZone, spreadSeconds: 0 }, from, { until });

for (const [timeZone, table] of Object.entries(clockChanges)) {
  test(`J06: ten years of mornings in ${timeZone} match an independent clock, one per day`, () => {
    const cron = "15 2 * * *";
    const moments = collectMoments(cron, timeZone, start, end);
    expect(moments).toEqual(watchClock(table, cron, start, end));
    expect(moments.length).toBe(3_652);
  });

  test(`J06: around every clock change in ${timeZone}, lists, steps and every hour match an independent clock`, () => {
    expect(table.changes.length).toBeGreaterThanOrEqual(19);
    for (const [instant] of table.changes) {
      const change = Date.parse(instant);
      for (const cron of [
        "45 1 * * *",
        "0,30 2 * * *",
        "*/10 1-3 * * *",
        "*/20 * * * *",
        "15 * * * *",
        "*/7 */2 * * *",
      ]) {
        const [from, to] = [change - 4 * hour, change + 4 * hour];
        expect(collectMoments(cron, timeZone, from, to), `${cron} at ${instant}`).toEqual(
          watchClock(table, cron, from, to),
        );
      }
    }
  });

  test(`from any instant around a clock change in ${timeZone}, the next time is the same`, () => {
    for (const [instant] of table.changes.slice(0, 2)) {
      const change = Date.parse(instant);
      for (const cron of ["*/30 * * * *", "20,50 1-2 * * *"]) {
        const all = watchClock(table, cron, change - 6 * hour, change + 48 * hour);
        for (let from = change - 3 * hour; from < change + 3 * hour; from += 5 * minute) {
          const next = nextAfter({ cron, timeZone, spreadSeconds: 0 }, from);
          expect(next, `${cron} after ${new Date(from).toISOString()}`).toBe(all.find((moment) => moment > from));
        }
      }
    }
  });
}
