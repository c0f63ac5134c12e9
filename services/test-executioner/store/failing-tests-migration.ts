import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

/** Contains failing tests only, so that passing ones cost nothing to skip; it changes only when they do. */
export async function indexFailingTests(db: Kysely<AnyTables>): Promise<void> {
  await sql`create index latest_executions_failing on ${sql.id(schemaName, "latest_executions")}
    (organization_id, failing_since, test_id) include (api_id) where failing_since is not null`.execute(db);
}
