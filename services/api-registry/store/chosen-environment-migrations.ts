import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

/** By name, because environments are replaced as a whole: renaming one ends its selection. */
export async function createChosenEnvironments(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${sql.id(schemaName, "chosen_environments")} (
      api_id uuid not null references ${sql.id(schemaName, "apis")} on delete cascade,
      user_id text not null,
      environment text not null,
      primary key (api_id, user_id)
    )`.execute(db);
}
