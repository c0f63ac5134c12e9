import { type RawBuilder, sql, type Transaction } from "kysely";
import type { RunSource } from "../contract/runs.ts";
import { type ExecutionTables, table } from "./tables.ts";

/** Older ones than these have rarely not ended. */
const recentRuns = 100;

/** How a run of this source is found by an index, and what makes it one; a selection of several is never another's. */
function matching(source: RunSource): { among: RawBuilder<unknown>; is: RawBuilder<unknown> } | undefined {
  switch (source.kind) {
    case "test":
      return { among: sql`test_id = ${source.testId}::uuid`, is: sql`source_kind = 'test'` };
    case "api":
      return {
        among: sql`api_id = ${source.apiId}::uuid`,
        is: sql`source_kind = 'api' and include = ${source.include}`,
      };
    case "circle":
      return { among: sql`test_circle_id = ${source.testCircleId}::uuid`, is: sql`source_kind = 'circle'` };
    case "rerun":
      return {
        among: sql`true`,
        is: sql`source_kind = 'rerun' and rerun_of = ${source.runId}::uuid
          and rerun_from is not distinct from ${source.from ?? null}::int`,
      };
    case "tests":
      return undefined;
  }
}

/**
 * A run of the same source that goes on. Those who ask for the same take turns until their transactions end, so that
 * of two that start at once the second finds what the first has started.
 */
export async function findUnfinishedRun(
  transaction: Transaction<ExecutionTables>,
  organizationId: string,
  source: RunSource,
): Promise<string | undefined> {
  const match = matching(source);
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
