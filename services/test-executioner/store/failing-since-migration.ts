import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);
const bad = sql.raw("('failed', 'errored', 'blocked')");

/** For tests that already fail: the first stored failure after the last pass. */
export async function addFailingSince(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("latest_executions")} add column failing_since timestamptz`.execute(db);
  await sql`
    update ${table("latest_executions")} latest set failing_since = coalesce((
      select min(execution.finished_at) from ${table("executions")} execution
      where execution.organization_id = latest.organization_id and execution.test_id = latest.test_id
        and execution.verdict in ${bad}
        and execution.queued_at > coalesce((
          select max(passed.queued_at) from ${table("executions")} passed
          where passed.organization_id = latest.organization_id and passed.test_id = latest.test_id
            and passed.verdict in ('passed', 'flaky')), '-infinity')
    ), latest.finished_at)
    where latest.verdict in ${bad}`.execute(db);
}
