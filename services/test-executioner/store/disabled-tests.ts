import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { type ExecutionDatabase, schemaName, table } from "./tables.ts";

/**
 * A migration step. Tests that are already disabled are marked when they next change or run: only their registry knows
 * them.
 */
export async function markDisabledTests(db: Kysely<AnyTables>): Promise<void> {
  const latest = sql.id(schemaName, "latest_executions");
  await sql`alter table ${latest} add column disabled boolean not null default false`.execute(db);
  await sql`drop index ${sql.id(schemaName, "latest_executions_failing")}`.execute(db);
  await sql`create index latest_executions_failing on ${latest} (organization_id, failing_since, test_id)
    include (api_id) where failing_since is not null and not disabled`.execute(db);
}

/** Follows the registry; no effect if the test never ran. */
export async function markDisabled(
  db: ExecutionDatabase,
  { organizationId, testId, disabled }: { organizationId: string; testId: string; disabled: boolean },
): Promise<void> {
  await sql`update ${table("latest_executions")} set disabled = ${disabled}
    where organization_id = ${organizationId}::uuid and test_id = ${testId}::uuid and disabled <> ${disabled}`.execute(
    db,
  );
}
