import { sql } from "kysely";
import { circlePlaces } from "#contracts/test-registry/circle-places.ts";
import type { ScheduledPlace } from "#contracts/test-registry/scheduled-places.ts";
import { schemaName, type TestDatabase } from "./tables.ts";

const table = (name: "test_circles" | "test_circle_members" | "schedules" | "tests") => sql.id(schemaName, name);

const maxCircles = 5_000;

interface Row {
  id: string;
  location_id: string | null;
  places: unknown;
  environments: Record<string, string>;
  api_ids: string[];
  test_locations: string[];
}

/** Circles with an enabled schedule. A selection counts all enabled tests of its API, whatever its tag. */
export async function listScheduledPlaces(db: TestDatabase, organizationId: string): Promise<ScheduledPlace[]> {
  const ofCircle = sql`from ${table("test_circle_members")} member
    where member.organization_id = circle.organization_id and member.circle_id = circle.id`;
  const { rows } = await sql<Row>`
    select circle.id, circle.location_id, circle.places, circle.environments,
      array(select distinct member.api_id ${ofCircle} order by member.api_id) as api_ids,
      array(
        select distinct test.definition ->> 'locationId' from ${table("tests")} test
        where test.organization_id = circle.organization_id and test.enabled
          and test.definition ->> 'locationId' is not null and exists (
            select ${ofCircle} and (member.test_id = test.id or member.test_id is null and member.api_id = test.api_id)
          )
      ) as test_locations
    from ${table("test_circles")} circle
    where circle.organization_id = ${organizationId}::uuid and exists (
      select from ${table("schedules")} schedule where schedule.circle_id = circle.id and schedule.enabled
    )
    order by circle.id limit ${maxCircles}`.execute(db);
  return rows.map((row) => {
    const places = circlePlaces.nullable().parse(row.places);
    const own = row.location_id === null ? (places?.locationIds ?? []) : [row.location_id];
    return {
      testCircleId: row.id,
      locationIds: [...own, ...row.test_locations],
      apis: row.api_ids.map((apiId) => ({ apiId, environment: row.environments[apiId] ?? null })),
      followsEnvironments: row.location_id === null && !places,
    };
  });
}
