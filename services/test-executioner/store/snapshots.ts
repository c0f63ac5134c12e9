import { sql } from "kysely";
import type { RunOrder } from "#contracts/test-executioner/runs.ts";
import { type Test, test } from "#contracts/test-registry/tests.ts";
import type { Executor } from "../../kit/database/database.ts";
import { parseSurroundings, type RunSurroundings } from "./surroundings.ts";
import { type ExecutionTables, table } from "./tables.ts";

export interface SnapshotKey {
  testId: string;
  version: number;
}

export async function loadSnapshots(
  db: Executor<ExecutionTables>,
  keys: SnapshotKey[],
): Promise<{ testId: string; version: number; text: string }[]> {
  const { rows } = await sql<{ test_id: string; version: number; test: string }>`
    select snapshot.test_id, snapshot.version, snapshot.test
    from unnest(${keys.map(({ testId }) => testId)}::uuid[], ${keys.map(({ version }) => version)}::int[])
      as given(test_id, version)
    join ${table("test_snapshots")} snapshot
      on snapshot.test_id = given.test_id and snapshot.version = given.version`.execute(db);
  return rows.map((row) => ({ testId: row.test_id, version: row.version, text: row.test }));
}

/** Members that an older version of the contract lacks get their defaults. */
export function parseSnapshot(text: string): Test {
  return test.parse(JSON.parse(text));
}

/** The part of a run that a worker needs. */
export interface RunContext extends RunSurroundings {
  order: RunOrder;
  concurrency: number | null;
  stopOnFailure: boolean;
  /** Number of its executions. */
  executions: number;
  /** Members that each of several places has; null: there is one place. */
  seriesSize: number | null;
}

export async function loadRunContexts(
  db: Executor<ExecutionTables>,
  runIds: string[],
): Promise<Map<string, RunContext>> {
  const rows = await db
    .selectFrom("runs")
    .select(["id", "execution_order", "concurrency", "stop_on_failure", "executions", "series_size", "surroundings"])
    .where("id", "=", sql<string>`any(${runIds}::uuid[])`)
    .execute();
  return new Map(
    rows.map(({ id, execution_order: order, stop_on_failure: stopOnFailure, surroundings, ...row }) => [
      id,
      {
        order,
        stopOnFailure,
        concurrency: row.concurrency,
        executions: row.executions,
        seriesSize: row.series_size,
        ...parseSurroundings(surroundings),
      },
    ]),
  );
}
