import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

/** By name, as environments are replaced as a whole: one that is renamed is chosen no more. */
export async function createChosenEnvironments(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${sql.id(schemaName, "chosen_environments")} (
      api_id uuid not null references ${sql.id(schemaName, "apis")} on delete cascade,
      user_id text not null,
      environment text not null,
      primary key (api_id, user_id)
    )`.execute(db);
}
