import { sql, type Transaction } from "kysely";
import type { RunSource } from "../contract/runs.ts";
import { matchSource, recentRuns } from "./same-source.ts";
import { type ExecutionTables, table } from "./tables.ts";

/**
 * A run of the same source that goes on. Those who ask for the same take turns until their transactions end, so that
 * of two that start at once the second finds what the first has started.
 */
export async function findUnfinishedRun(
  transaction: Transaction<ExecutionTables>,
  organizationId: string,
  source: RunSource,
): Promise<string | undefined> {
  const match = matchSource(source);
  if (!match) return undefined;
  // Names are those of the moment.
  const { testName, testCircleName, circle, ...asked } = { testName: "", testCircleName: "", circle: null, ...source };
  const turn = JSON.stringify([organizationId, asked]);
  await sql`select pg_advisory_xact_lock(hashtextextended(${turn}, 0))`.execute(transaction);
  const { rows } = await sql<{ id: string }>`
    select id from (
      select * from ${table("runs")} where organization_id = ${organizationId}::uuid and ${match.among}
      order by id desc limit ${recentRuns}
    ) recent
    where finished_at is null and ${match.is} order by id desc limit 1`.execute(transaction);
  return rows[0]?.id;
}
