import { type RawBuilder, sql } from "kysely";
import { notifyChanges, notifyWork } from "./changes.ts";
import { forgetCountsOfApis, forgetCountsOfTests } from "./counts.ts";
import { type FinishedRun, finishedColumns, type PublishFinished } from "./finished-runs.ts";
import { giveBack } from "./plan-quota.ts";
import { retryDeadlock } from "./retry-deadlock.ts";
import type { ExecutionDatabase } from "./tables.ts";
import { table } from "./tables.ts";
import { releaseNext } from "./turns.ts";

/** Rows per transaction: a test with a million executions must not block all other writes. */
const batchSize = 2_000;

export interface DeletionParts {
  db: ExecutionDatabase;
  publishFinished: PublishFinished;
}

/** Proceeds batch by batch; if started again, it deletes the rest. */
export type Deletion = AsyncGenerator<undefined, void>;

/**
 * Deletes up to this many batches.
 * @returns whether nothing is left
 */
export async function advance(deletion: Deletion, batches = Number.POSITIVE_INFINITY): Promise<boolean> {
  for (let batch = 0; batch < batches; batch += 1) if ((await deletion.next()).done) return true;
  return false;
}

/** Deletes all stored data of tests: executions, details and snapshots. Queued ones never start. */
export async function* deleteExecutionsOfTests(
  { db, publishFinished }: DeletionParts,
  organizationId: string,
  testIds: string[],
): Deletion {
  while (await retryDeadlock(() => deleteUnfinished({ db, publishFinished }, organizationId, testIds))) yield;
  while (await retryDeadlock(() => deleteEnded(db, organizationId, testIds))) yield;
  await forgetCountsOfTests(db, organizationId, testIds);
  const isDoomed = sql<string>`any(${testIds}::uuid[])`;
  for (const name of ["latest_executions", "test_notices", "test_snapshots", "runs"] as const) {
    await db.deleteFrom(name).where("organization_id", "=", organizationId).where("test_id", "=", isDoomed).execute();
  }
}

/** Removed from their runs: the rest of a run continues and ends without them. */
async function deleteUnfinished(
  { db, publishFinished }: DeletionParts,
  organizationId: string,
  testIds: string[],
): Promise<number> {
  return await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ run_id: string; api_id: string; organization_id: string; reserves: boolean }>`
      with doomed as (
        select id from ${table("unfinished_executions")}
        where organization_id = ${organizationId}::uuid and test_id = any(${testIds}::uuid[])
        order by id limit ${batchSize} for update
      )
      delete from ${table("unfinished_executions")} execution using doomed
      where execution.id = doomed.id
      returning execution.run_id, execution.api_id, execution.organization_id, execution.reserves`.execute(transaction);
    if (rows.length === 0) return 0;
    const { rows: runs } = await sql<FinishedRun & { unfinished: number }>`
      with gone as (
        select run_id, count(*)::int as members from unnest(${rows.map((row) => row.run_id)}::uuid[]) as given(run_id)
        group by run_id
      ), locked as (
        select run.id from ${table("runs")} run join gone on gone.run_id = run.id order by run.id for update of run
      )
      update ${table("runs")} run set
        executions = run.executions - gone.members,
        unfinished = run.unfinished - gone.members,
        state = case when run.unfinished > gone.members then run.state
          when run.is_cancelled or run.cancelled = run.executions - gone.members then 'cancelled' else 'finished' end,
        finished_at = case when run.unfinished > gone.members then run.finished_at else now() end
      from gone, locked where gone.run_id = run.id and locked.id = run.id
      returning ${finishedColumns}`.execute(transaction);
    await publishFinished(
      transaction,
      runs.filter(({ unfinished }) => unfinished === 0),
    );
    await notifyChanges(transaction, rows);
    const { released } = await releaseNext(transaction, [...new Set(rows.map((row) => row.run_id))]);
    await notifyWork(transaction, released);
    await giveBack(transaction, rows);
    return rows.length;
  });
}

/** @returns how many there were. A concurrent deletion may have been faster: then there may be more. */
async function deleteEnded(db: ExecutionDatabase, organizationId: string, testIds: string[]): Promise<number> {
  const matching = sql`organization_id = ${organizationId}::uuid and test_id = any(${testIds}::uuid[])`;
  return await deleteNextEnded(db, matching);
}

/** By their ids: by a query for them, all partitions would be looked into. */
async function deleteNextEnded(db: ExecutionDatabase, matching: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from ${table("executions")} where ${matching} limit ${batchSize}`.execute(db);
  if (rows.length === 0) return 0;
  const doomed = sql`any(${rows.map(({ id }) => id)}::uuid[])`;
  await sql`
    with details as (
      delete from ${table("execution_details")} where execution_id = ${doomed}
    ), dated as (
      delete from ${table("dated_details")} where execution_id = ${doomed}
    )
    delete from ${table("executions")} where id = ${doomed}`.execute(db);
  return rows.length;
}

/** Every test that ever ran has a row among the latest executions, which therefore list everything to delete. */
export async function* deleteExecutionsOfApis(
  { db, publishFinished }: DeletionParts,
  organizationId: string,
  apiIds: string[],
): Deletion {
  const isDoomed = sql<string>`any(${apiIds}::uuid[])`;
  for (;;) {
    const tests = await db
      .selectFrom("latest_executions")
      .select("test_id")
      .where("organization_id", "=", organizationId)
      .where("api_id", "=", isDoomed)
      .limit(200)
      .execute();
    if (tests.length === 0) break;
    yield* deleteExecutionsOfTests(
      { db, publishFinished },
      organizationId,
      tests.map((row) => row.test_id),
    );
  }
  for (const name of ["runs", "run_apis", "exploration_findings", "explorations"] as const) {
    await db.deleteFrom(name).where("organization_id", "=", organizationId).where("api_id", "=", isDoomed).execute();
  }
  await forgetCountsOfApis(db, organizationId, apiIds);
}

/**
 * Finished executions and their details, which are only found through them. The organization's other rows are deleted
 * separately.
 */
export async function deleteEndedOfOrganization(
  db: ExecutionDatabase,
  organizationId: string,
  stopping: AbortSignal,
): Promise<void> {
  const matching = sql`organization_id = ${organizationId}::uuid`;
  while (!stopping.aborted) if ((await deleteNextEnded(db, matching)) === 0) return;
}
