import { writeLocal } from "../../kit/time-zone/wall-clock.ts";
import type { Schedule } from "../contract/schedules.ts";
import { type NamedSchedule, recurrenceOfRow } from "../store/schedules.ts";

/** A moment in UTC and by the zone's clocks. */
export function shownMoment(timeZone: string, moment: Date): { at: string; local: string } {
  return { at: moment.toISOString(), local: writeLocal(timeZone, moment.getTime()) };
}

export function shownSchedule(row: NamedSchedule): Schedule {
  const { cron, everySeconds, timeZone, activeHours, spreadSeconds } = recurrenceOfRow(row);
  return {
    id: row.id,
    testCircleId: row.circle_id,
    testCircleName: row.circle_name,
    apiIds: row.api_ids,
    name: row.name ?? undefined,
    ...{ cron, everySeconds, timeZone, activeHours, spreadSeconds },
    spread: row.is_spread,
    enabled: row.enabled,
    overlap: row.overlap,
    catchUp: row.catch_up,
    next: row.next_at && shownMoment(timeZone, row.next_at),
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
