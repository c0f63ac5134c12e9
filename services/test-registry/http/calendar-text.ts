import { setImmediate } from "node:timers/promises";
import ical, { type ICalCalendar, ICalEventTransparency } from "ical-generator";
import { startOfDay, writeLocal } from "#libraries/time-zone/wall-clock.ts";
import { listCalendarEntries } from "../domain/calendar-entries.ts";
import { concerns } from "../domain/maintenance-window.ts";
import { type RangedWindow, rangeWindow } from "../domain/ranged-windows.ts";
import { toScope, type WindowRow } from "../store/maintenance-windows.ts";
import { type NamedSchedule, recurrenceOfRow } from "../store/schedules.ts";

const days = 35;
const refreshSeconds = 3_600;
/** Per window; more are of no use in a calendar. */
const maxEntries = 100;

export interface CalendarContent {
  schedules: NamedSchedule[];
  /** Windows that skip these schedules, and those to display. */
  windows: WindowRow[];
  /** Whether it is for one circle or API: then other windows are omitted. */
  isFiltered: boolean;
}

/** Times are instants in UTC: every calendar converts them to its own zone, so no time zone definitions are needed. */
export async function writeCalendar(content: CalendarContent, now: Date): Promise<string> {
  const calendar = ical({
    name: "Scheduled test circles",
    prodId: "//API Assurance//Schedules//EN",
    ttl: refreshSeconds,
  });
  const range = { from: now.getTime(), to: startOfDay("UTC", now.getTime(), days + 1) };
  const windows = content.windows.map((row) => ({ row, ranged: rangeWindow(toScope(row), range) }));
  const displayed = new Set(content.isFiltered ? [] : windows);
  for (const row of content.schedules) {
    const circle = { testCircleId: row.circle_id, apiIds: row.api_ids };
    const concerning = windows.filter(({ ranged }) => concerns(ranged, circle));
    for (const window of concerning) displayed.add(window);
    addRuns(calendar, row, { now, windows: concerning.map(({ ranged }) => ranged) });
    // Hundreds of schedules take a second; yields to page requests in between.
    await setImmediate();
  }
  for (const { row, ranged } of displayed) addWindow(calendar, row, ranged);
  return calendar.toString();
}

function addRuns(calendar: ICalCalendar, row: NamedSchedule, { now, windows }: { now: Date; windows: RangedWindow[] }) {
  const { time_zone: timeZone } = row;
  for (const entry of listCalendarEntries(recurrenceOfRow(row), { after: now.getTime(), days, windows })) {
    const { from, to, times, skipped } = entry;
    const often = times === 1 ? "" : ` (${times} runs)`;
    const left = skipped === 0 ? "" : ` ${skipped} more are skipped by a maintenance window.`;
    calendar.createEvent({
      id: `${row.id}/${new Date(from).toISOString()}`,
      stamp: row.updated_at,
      start: new Date(from),
      end: new Date(to),
      summary: `${row.circle_name}${row.name ? `: ${row.name}` : ""}${often}`,
      description: `Starts at ${writeLocal(timeZone, from).slice(11, 16)} in ${timeZone}.${left}`,
      transparency: ICalEventTransparency.TRANSPARENT,
    });
  }
}

function addWindow(calendar: ICalCalendar, row: WindowRow, { spans }: RangedWindow): void {
  const source = row.circle_id ? "of its circle" : row.api_id ? "of circles that test its API" : "of all circles";
  for (const { from, to } of (spans ?? []).slice(0, maxEntries)) {
    calendar.createEvent({
      id: `${row.id}/${new Date(from).toISOString()}`,
      stamp: row.updated_at,
      start: new Date(from),
      end: new Date(to),
      summary: `Maintenance: ${row.name}`,
      description: `Scheduled runs ${source} are skipped.`,
      transparency: ICalEventTransparency.TRANSPARENT,
    });
  }
}
