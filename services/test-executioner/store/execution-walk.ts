import { sql } from "kysely";
import type { RunTrigger } from "#contracts/test-executioner/verdicts.ts";
import { firstIdOf, timeOfId } from "../../kit/database/id-time.ts";
import { type TimeFilter, withinTime } from "./executions.ts";
import { type ExecutionDatabase, table } from "./tables.ts";

interface WalkedExecutions extends TimeFilter {
  testId: string;
  apiId?: string;
  /** An execution has its run's trigger. */
  trigger?: RunTrigger;
  /** Only runs before this one. */
  before?: string;
}

/** Executions get their ids with their run; processes that start runs at the same time may alternate. */
const startMilliseconds = 60_000;

/** Iterates over a test's executions from the newest to the oldest and returns their runs, each once. */
export function createExecutionWalk(
  db: ExecutionDatabase,
  organizationId: string,
  { testId, apiId, trigger, before, from, to, active }: WalkedExecutions,
) {
  const known = new Set<string>();
  const ofApi = apiId ? sql` and api_id = ${apiId}::uuid` : sql``;
  const byTrigger = trigger ? sql` and trigger = ${trigger}` : sql``;
  const isOfTest = (isUnfinished: boolean) => sql`organization_id = ${organizationId}::uuid
    and test_id = ${testId}::uuid${ofApi}${byTrigger} and ${withinTime({ from, to, active }, isUnfinished)}`;
  let below = before && firstIdOf(new Date(timeOfId(before).getTime() + startMilliseconds));
  let isFirst = true;

  function take(rows: { run_id: string }[]): string[] {
    const runIds = [...new Set(rows.map((row) => row.run_id))].filter((id) => !known.has(id));
    for (const id of runIds) known.add(id);
    return runIds;
  }

  return {
    /** @returns the runs not returned yet, and the last execution seen; undefined at the end */
    async next(limit: number): Promise<{ runIds: string[]; downTo: string | undefined }> {
      const runIds: string[] = [];
      if (isFirst) {
        // Before the finished ones are read: members that end meanwhile are found there.
        const { rows } = await sql<{ run_id: string }>`
          select distinct run_id from ${table("unfinished_executions")} where ${isOfTest(true)}`.execute(db);
        runIds.push(...take(rows));
      }
      isFirst = false;
      const older = below ? sql` and id < ${below}::uuid` : sql``;
      const { rows } = await sql<{ id: string; run_id: string }>`
        select id, run_id from ${table("executions")} where ${isOfTest(false)}${older}
        order by id desc limit ${limit}`.execute(db);
      runIds.push(...take(rows));
      below = rows.at(-1)?.id;
      return { runIds, downTo: rows.length < limit ? undefined : below };
    },
  };
}
