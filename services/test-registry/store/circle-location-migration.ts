import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

/** Where a circle's runs are sent from; null: as the environments of its APIs say. */
export async function addCircleLocations(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${sql.id(schemaName, "test_circles")} add column location_id uuid`.execute(db);
}

/** Several places that a circle's runs are sent from. */
export async function addCirclePlaces(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${sql.id(schemaName, "test_circles")} add column places jsonb`.execute(db);
}
