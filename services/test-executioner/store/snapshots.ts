import { sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import type { Test } from "../../test-registry/contract/tests.ts";
import type { RunFacts } from "./runs.ts";
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

export function parseSnapshot(text: string): Test {
  return JSON.parse(text) as Test;
}

export async function loadRunFacts(db: Executor<ExecutionTables>, runIds: string[]): Promise<Map<string, RunFacts>> {
  const rows = await db
    .selectFrom("runs")
    .select(["id", "facts"])
    .where("id", "=", sql<string>`any(${runIds}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, JSON.parse(row.facts) as RunFacts]));
}
