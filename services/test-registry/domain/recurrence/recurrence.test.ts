import { expect, test } from "vitest";
import { writeLocal } from "#libraries/time-zone/wall-clock.ts";
import { weekdays } from "./active-hours.ts";
import { listClockChangeNotes, noteAt } from "./clock-change-notes.ts";
import { parseCron } from "./cron-expression.ts";
import {
  countInMonth,
  countMoments,
  listLastMoments,
  listMoments,
  nextAfter,
  type Recurrence,
  shortestStepSeconds,
  spreadWidthSeconds,
} from "./recurrence.ts";

const at = (text: string) => Date.parse(text);

function inBerlin(parts: Partial<Recurrence>): Recurrence {
  return { timeZone: "Europe/Berlin", spreadSeconds: 0, ...parts };
}

/** The next times as local time in the zone. */
function list(recurrence: Recurrence, after: string, count: number): string[] {
  return listMoments(recurrence, at(after), { atMost: count }).map((moment) => writeLocal(recurrence.timeZone, moment));
}

test("working days at 07:00 are at 07:00 in winter and in summer", () => {
  expect(list(inBerlin({ cron: "0 7 * * 1-5" }), "2026-03-26T12:00:00Z", 3)).toEqual([
    "2026-03-27T07:00:00+01:00",
    "2026-03-30T07:00:00+02:00",
    "2026-03-31T07:00:00+02:00",
  ]);
});

test("intervals count elapsed time, whatever the clocks", () => {
  expect(list(inBerlin({ everySeconds: 2_400 }), "2026-10-25T00:00:00Z", 4)).toEqual([
    "2026-10-25T02:40:00+02:00",
    "2026-10-25T02:20:00+01:00",
    "2026-10-25T03:00:00+01:00",
    "2026-10-25T03:40:00+01:00",
  ]);
});

test("an interval's times do not depend on the starting point of the search", () => {
  const recurrence = inBerlin({ everySeconds: 420 });
  const next = nextAfter(recurrence, at("2026-06-01T10:00:01Z"))!;
  expect(nextAfter(recurrence, next - 1)).toBe(next);
  expect(nextAfter(recurrence, next)).toBe(next + 420_000);
});

test("times outside active hours are dropped, across midnight too, and the end is exclusive", () => {
  const office = { from: "08:00", to: "18:00", days: weekdays.slice(0, 5) };
  expect(list(inBerlin({ cron: "0 */5 * * *", activeHours: office }), "2026-06-05T10:00:00Z", 3)).toEqual([
    "2026-06-05T15:00:00+02:00",
    "2026-06-08T10:00:00+02:00",
    "2026-06-08T15:00:00+02:00",
  ]);
  const night = { from: "22:00", to: "02:00", days: ["friday" as const] };
  expect(list(inBerlin({ everySeconds: 3_600, activeHours: night }), "2026-06-01T00:00:00Z", 5)).toEqual([
    "2026-06-05T22:00:00+02:00",
    "2026-06-05T23:00:00+02:00",
    "2026-06-06T00:00:00+02:00",
    "2026-06-06T01:00:00+02:00",
    "2026-06-12T22:00:00+02:00",
  ]);
});

test("a recurrence that never falls into its active hours has no next time", () => {
  const morning = { from: "08:00", to: "09:00", days: [...weekdays] };
  expect(nextAfter(inBerlin({ cron: "0 7 * * *", activeHours: morning }), at("2026-06-01T00:00:00Z"))).toBeUndefined();
  expect(nextAfter(inBerlin({ cron: "0 0 31 2 *" }), at("2026-06-01T00:00:00Z"))).toBeUndefined();
});

test("a spread shifts every time equally, within the shortest step, an hour at most", () => {
  expect(list(inBerlin({ cron: "0 7 * * *", spreadSeconds: 1_234 }), "2026-06-01T05:10:00Z", 2)).toEqual([
    "2026-06-01T07:20:34+02:00",
    "2026-06-02T07:20:34+02:00",
  ]);
  expect(spreadWidthSeconds(inBerlin({ cron: "0 7 * * *" }))).toBe(3_600);
  expect(spreadWidthSeconds(inBerlin({ cron: "*/7 * * * *" }))).toBe(240);
  expect(spreadWidthSeconds(inBerlin({ everySeconds: 30 }))).toBe(30);
  expect(shortestStepSeconds(inBerlin({ cron: "0 0,9,23 * * *" }))).toBe(3_600);
});

test("active hours apply to the planned time: a spread drops none and adds none", () => {
  const office = { from: "08:00", to: "18:00", days: weekdays.slice(0, 5) };
  const spread = inBerlin({ cron: "30 7,12,17 * * *", activeHours: office, spreadSeconds: 3_000 });
  expect(list(spread, "2026-06-05T00:00:00Z", 3)).toEqual([
    "2026-06-05T13:20:00+02:00",
    "2026-06-05T18:20:00+02:00",
    "2026-06-08T13:20:00+02:00",
  ]);
  expect(list(spread, "2026-06-05T16:19:59Z", 1)).toEqual(["2026-06-05T18:20:00+02:00"]);
  for (const rhythm of [{ cron: "30 7,12,17 * * *" }, { everySeconds: 1_800 }]) {
    const recurrence = inBerlin({ ...rhythm, activeHours: office, spreadSeconds: 1_700 });
    const [after, until] = [at("2026-06-01T00:00:00Z"), at("2026-06-15T00:00:00Z")];
    const moments = listMoments(recurrence, after, { until });
    expect(moments).toEqual(
      listMoments({ ...recurrence, spreadSeconds: 0 }, after, { until }).map((one) => one + 1_700_000),
    );
    expect(countMoments(recurrence, after, until)).toBe(moments.length);
  }
});

test("a month is 30 days: only working days where only those match", () => {
  const monday = at("2026-06-01T00:00:00+02:00");
  expect(countInMonth(inBerlin({ cron: "0 7 * * 1-5" }), monday)).toBe(22);
  expect(countInMonth(inBerlin({ cron: "*/5 * * * *" }), monday)).toBe(30 * 288);
  expect(countInMonth(inBerlin({ everySeconds: 30 }), monday)).toBe(30 * 2_880);
  const office = { from: "08:00", to: "18:00", days: weekdays.slice(0, 5) };
  expect(countInMonth(inBerlin({ everySeconds: 3_600, activeHours: office }), monday)).toBe(220);
  expect(countInMonth(inBerlin({ cron: "0 * * * *", activeHours: office }), monday)).toBe(220);
});

test("a clock change is noted only if it has an effect", () => {
  const getNotes = (recurrence: Recurrence) =>
    listClockChangeNotes(recurrence, at("2026-01-01T00:00:00Z")).map(({ note }) => note);
  expect(getNotes(inBerlin({ cron: "30 2 * * *" }))).toEqual([
    "29 March 2026: 02:30 does not exist, 03:00 is taken.",
    "25 October 2026: 02:30 occurs twice; the first is used.",
  ]);
  expect(getNotes(inBerlin({ cron: "*/20 2 * * 0" }))).toEqual([
    "29 March 2026: 02:00 to 02:40 do not exist, 03:00 is taken once.",
    "25 October 2026: 02:00 to 02:40 occur twice; the first are used.",
  ]);
  expect(getNotes(inBerlin({ cron: "*/30 * * * *" }))).toEqual([
    "29 March 2026: 02:00 to 02:30 do not exist, they are left out.",
    "25 October 2026: 02:00 to 02:30 occur twice; both are used.",
  ]);
  expect(getNotes(inBerlin({ cron: "30 2 * * 1-5" }))).toEqual([]);
  expect(getNotes(inBerlin({ cron: "30 7 * * *" }))).toEqual([]);
  expect(getNotes(inBerlin({ everySeconds: 60 }))).toEqual([]);
  const office = { from: "08:00", to: "18:00", days: [...weekdays] };
  expect(getNotes(inBerlin({ cron: "*/30 * * * *", activeHours: office }))).toEqual([]);
  const night = { from: "01:00", to: "03:00", days: [...weekdays] };
  const spread = inBerlin({ cron: "30 2 * * *", activeHours: night, spreadSeconds: 3_000 });
  expect(getNotes(spread)).toEqual(getNotes(inBerlin({ cron: "30 2 * * *" })));
});

test("a time has the note of the clock change it falls into, and others have none", () => {
  const daily = inBerlin({ cron: "30 2 * * *" });
  expect(noteAt(daily, at("2026-10-25T00:30:00Z"))).toBe("25 October 2026: 02:30 occurs twice; the first is used.");
  expect(noteAt(daily, at("2026-10-26T01:30:00Z"))).toBeUndefined();
  expect(noteAt(daily, at("2026-03-29T01:00:00Z"))).toBe("29 March 2026: 02:30 does not exist, 03:00 is taken.");
  expect(noteAt(inBerlin({ cron: "0 3 * * *" }), at("2026-03-29T01:00:00Z"))).toBeUndefined();
});

test("an invalid five-field expression is refused with an explanation", () => {
  expect(() => parseCron("0 7 * *")).toThrow("Enter five fields");
  expect(() => parseCron("0 0 7 * * *")).toThrow("Enter five fields");
  expect(() => parseCron("2026-01-01T00:00:00")).toThrow("Enter five fields");
  expect(() => parseCron("60 7 * * *")).toThrow("Invalid value for minute: 60");
  expect(() => parseCron("@reboot")).toThrow("Enter five fields");
  expect(parseCron("@daily").minutesOfDay).toEqual([0]);
  expect(parseCron(" 5  7,19 * * MON-FRI ").minutesOfDay).toEqual([425, 1_145]);
});

test("over a long range the last times are listed, and earlier ones are counted", () => {
  const quarterly = inBerlin({ cron: "*/15 * * * *" });
  const { moments, before } = listLastMoments(quarterly, at("2025-06-01T00:00:00Z"), at("2026-06-01T00:00:00Z"), 100);
  expect(moments).toEqual(listMoments(quarterly, at("2026-05-30T23:00:00Z"), { atMost: 100 }));
  expect(before).toBe(365 * 96 - 100);
  const office = { from: "08:00", to: "18:00", days: ["monday" as const] };
  const rare = inBerlin({ everySeconds: 1_800, activeHours: office });
  const found = listLastMoments(rare, at("2026-05-03T00:00:00Z"), at("2026-06-01T08:10:00Z"), 50);
  expect(found.moments).toHaveLength(50);
  expect(found.before + 50).toBe(
    listMoments(rare, at("2026-05-03T00:00:00Z"), { until: at("2026-06-01T08:10:00Z") }).length,
  );
});
