import { expect, test } from "vitest";
import { findDueTimes } from "./due-schedule.ts";

const at = (text: string) => Date.parse(text);
const recurrence = { cron: "*/5 * * * *", timeZone: "Europe/Berlin", spreadSeconds: 0 };
const nextAt = at("2026-06-01T10:00:00Z");

function due(now: string, catchUp: "latest" | "none" = "latest") {
  return findDueTimes({ recurrence, nextAt, catchUp }, at(now));
}

test("a due schedule starts, and its next time follows the clock, however late it is", () => {
  for (const now of ["2026-06-01T10:00:00Z", "2026-06-01T10:00:59Z"]) {
    expect(due(now, "none")).toEqual({
      start: { scheduledFor: nextAt, isLate: false },
      missed: [],
      next: at("2026-06-01T10:05:00Z"),
    });
  }
});

test("J04: after 25 hours one run is caught up, as late, and 299 times were missed", () => {
  const { start, missed, next } = due("2026-06-02T10:59:00Z");
  expect(start).toEqual({ scheduledFor: at("2026-06-02T10:55:00Z"), isLate: true });
  expect(missed).toHaveLength(299);
  expect(missed[0]).toBe(nextAt);
  expect(next).toBe(at("2026-06-02T11:00:00Z"));
});

test("J04: without catch-up all times are missed, except one due right now", () => {
  const late = due("2026-06-02T10:59:00Z", "none");
  expect([late.start, late.missed.length]).toEqual([undefined, 300]);
  const justNow = due("2026-06-02T11:00:01Z", "none");
  expect(justNow.start).toEqual({ scheduledFor: at("2026-06-02T11:00:00Z"), isLate: false });
  expect(justNow.missed).toHaveLength(300);
});

test("J04: a minute's pause misses nothing", () => {
  expect(due("2026-06-01T10:01:00Z", "none")).toMatchObject({ start: { isLate: false }, missed: [] });
});

test("after weeks the last thousand are listed, and earlier ones are counted", () => {
  const { missed, missedBefore } = due("2026-07-01T10:00:30Z");
  expect(missed).toHaveLength(1_000);
  expect(missedBefore).toEqual({ since: nextAt, times: 30 * 288 - 1_000 });
});

test("before its time, after the clock was set back, nothing is due and nothing changes", () => {
  expect(due("2026-06-01T09:00:00Z")).toEqual({ missed: [], next: nextAt });
});

test("J14: the next time never depends on how late the last one was", () => {
  let next = nextAt;
  for (let turn = 0; turn < 288; turn += 1) {
    const due = findDueTimes({ recurrence, nextAt: next, catchUp: "latest" }, next + ((turn * 7_919) % 50_000));
    expect(due.start?.scheduledFor).toBe(nextAt + turn * 300_000);
    next = due.next!;
  }
});

test("a spread time after its active hours starts, because it was planned within them", () => {
  const activeHours = { from: "08:00", to: "18:00", days: ["monday" as const] };
  const spread = { ...recurrence, cron: "30 17 * * *", activeHours, spreadSeconds: 3_000 };
  const scheduledFor = at("2026-06-01T16:20:00Z");
  expect(findDueTimes({ recurrence: spread, nextAt: scheduledFor, catchUp: "latest" }, scheduledFor)).toEqual({
    start: { scheduledFor, isLate: false },
    missed: [],
    next: at("2026-06-08T16:20:00Z"),
  });
});
