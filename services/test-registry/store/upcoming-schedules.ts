import { sql } from "kysely";
import type { ScheduleRow } from "./schedules.ts";
import { schemaName, type TestDatabase } from "./tables.ts";

const table = (name: "test_circles" | "test_circle_members" | "schedules") => sql.id(schemaName, name);

const maxSchedules = 500;

export type UpcomingRow = ScheduleRow & {
  location_id: string | null;
  environments: Record<string, string>;
  api_ids: string[];
};

/** Schedules that are due until then, of circles that name the location, or no place at all. */
export async function listUpcomingSchedules(
  db: TestDatabase,
  organizationId: string,
  { locationId, until }: { locationId: string; until: Date },
): Promise<UpcomingRow[]> {
  const { rows } = await sql<UpcomingRow>`
    select schedule.*, circle.location_id, circle.environments,
      array(
        select distinct member.api_id from ${table("test_circle_members")} member
        where member.organization_id = circle.organization_id and member.circle_id = circle.id order by member.api_id
      ) as api_ids
    from ${table("schedules")} schedule
    join ${table("test_circles")} circle
      on circle.id = schedule.circle_id and circle.organization_id = schedule.organization_id
    where schedule.organization_id = ${organizationId}::uuid and schedule.enabled
      and schedule.next_at <= ${until}::timestamptz and circle.places is null
      and (circle.location_id = ${locationId}::uuid or circle.location_id is null)
    order by circle.location_id nulls last, schedule.next_at, schedule.id limit ${maxSchedules}`.execute(db);
  return rows;
}
