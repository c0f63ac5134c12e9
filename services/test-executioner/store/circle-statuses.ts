import { type RawBuilder, sql } from "kysely";
import type { CircleStatus } from "#contracts/test-executioner/circle-statuses.ts";
import { toCounts, toState } from "./run-list.ts";
import { readStarter } from "./run-starters.ts";
import { type ExecutionDatabase, type RunRow, table } from "./tables.ts";

const maxVerdicts = 12;

/** The status of circles, by the index that lists their runs: a few rows each, however often they ran. */
export async function listCircleStatuses(
  db: ExecutionDatabase,
  organizationId: string,
  testCircleIds: string[],
): Promise<CircleStatus[]> {
  const newest = (max: number, where: RawBuilder<unknown>) => sql`
    select run.* from unnest(${testCircleIds}::uuid[]) as given(id), lateral (
      select * from ${table("runs")}
      where organization_id = ${organizationId}::uuid and test_circle_id = given.id and source_kind = 'circle' ${where}
      order by id desc limit ${max}
    ) run`;
  const { rows } = await sql<RunRow>`
    ${newest(1, sql``)} union ${newest(maxVerdicts, sql`and finished_at is not null`)}
    order by id desc`.execute(db);
  const byCircle = new Map<string, [RunRow, ...RunRow[]]>();
  for (const row of rows) {
    const known = byCircle.get(row.test_circle_id!);
    if (known) known.push(row);
    else byCircle.set(row.test_circle_id!, [row]);
  }
  return [...byCircle].map(([testCircleId, runs]) => ({
    testCircleId,
    lastRun: toLastRun(runs[0]),
    lastVerdicts: runs.flatMap(({ id, verdict, finished_at, ...counted }) => {
      if (!finished_at) return [];
      const passed = counted.judged_passed ?? counted.passed + counted.flaky;
      const notPassed =
        counted.judged_not_passed ?? counted.failed + counted.errored + counted.skipped + counted.blocked;
      return [{ runId: id, verdict, finishedAt: finished_at.toISOString(), passed, notPassed }];
    }),
  }));
}

function toLastRun(row: RunRow): CircleStatus["lastRun"] {
  return {
    runId: row.id,
    state: toState(row),
    verdict: row.finished_at ? row.verdict : null,
    reason: row.reason,
    trigger: row.trigger,
    startedBy: readStarter(row),
    counts: toCounts(row),
    queuedAt: row.queued_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}
