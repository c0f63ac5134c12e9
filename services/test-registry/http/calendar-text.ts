import { setImmediate } from "node:timers/promises";
import ical, { ICalEventTransparency } from "ical-generator";
import { writeLocal } from "../../kit/time-zone/wall-clock.ts";
import { listCalendarEntries } from "../domain/calendar-entries.ts";
import { type NamedSchedule, recurrenceOfRow } from "../store/schedules.ts";

const days = 35;
const refreshSeconds = 3_600;

/** Times are instants in UTC: every calendar shows them by its own clock, and needs to be told of no zone's changes. */
export async function writeCalendar(schedules: NamedSchedule[], now: Date): Promise<string> {
  const calendar = ical({
    name: "Scheduled test circles",
    prodId: "//API Assurance//Schedules//EN",
    ttl: refreshSeconds,
  });
  for (const row of schedules) {
    const { time_zone: timeZone } = row;
    for (const { from, to, times } of listCalendarEntries(recurrenceOfRow(row), now.getTime(), days)) {
      const often = times === 1 ? "" : ` (${times} runs)`;
      calendar.createEvent({
        id: `${row.id}/${new Date(from).toISOString()}`,
        stamp: row.updated_at,
        start: new Date(from),
        end: new Date(to),
        summary: `${row.circle_name}${row.name ? `: ${row.name}` : ""}${often}`,
        description: `Starts at ${writeLocal(timeZone, from).slice(11, 16)} in ${timeZone}.`,
        transparency: ICalEventTransparency.TRANSPARENT,
      });
    }
    // Hundreds of schedules take a second; pages have their turn in between.
    await setImmediate();
  }
  return calendar.toString();
}
