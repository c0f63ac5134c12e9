import { sql, type Transaction } from "kysely";
import type { Test } from "../../test-registry/contract/tests.ts";
import type { ExecutionRow, ExecutionTables } from "./tables.ts";
import { table } from "./tables.ts";

/** What the executions of one call share, as it was at the call. */
export interface RunFacts {
  /** Override, environment and API, in this order of precedence. */
  baseUrls: (string | null)[];
  variables: Record<string, string>;
  /** The document that was current; names what is known of its operations. */
  documentId: string;
}

export interface NewRun {
  id: string;
  organizationId: string;
  apiId: string;
  facts: RunFacts;
  trigger: ExecutionRow["trigger"];
  createdAt: Date;
  executions: { id: string; test: Test; rowIndex: number | null }[];
}

/** Stores a run with all its executions in five statements, whatever their number. */
export async function insertRun(transaction: Transaction<ExecutionTables>, run: NewRun): Promise<void> {
  const { organizationId, apiId, executions } = run;
  const tests = new Map<string, { test: Test; executionId: string; pending: number }>();
  for (const { id, test } of executions) {
    const known = tests.get(test.id);
    if (known) known.pending += 1;
    else tests.set(test.id, { test, executionId: id, pending: 1 });
  }
  // One order for everybody who locks several of these rows, or two runs could wait for each other.
  const inOrder = [...tests.values()].sort((a, b) => (a.test.id < b.test.id ? -1 : 1));

  await transaction
    .insertInto("runs")
    .values({
      id: run.id,
      organization_id: organizationId,
      api_id: apiId,
      facts: JSON.stringify(run.facts),
      created_at: run.createdAt,
    })
    .execute();
  const known = await sql<{ test_id: string; version: number }>`
    select snapshot.test_id, snapshot.version
    from unnest(${inOrder.map(({ test }) => test.id)}::uuid[], ${inOrder.map(({ test }) => test.version)}::int[])
      as given(test_id, version)
    join ${table("test_snapshots")} snapshot on snapshot.test_id = given.test_id and snapshot.version = given.version
      and snapshot.organization_id = ${organizationId}::uuid`.execute(transaction);
  const knownKeys = new Set(known.rows.map((row) => `${row.test_id} ${row.version}`));
  const unknown = inOrder.filter(({ test }) => !knownKeys.has(`${test.id} ${test.version}`));
  if (unknown.length > 0) {
    await sql`
      insert into ${table("test_snapshots")} (test_id, version, organization_id, api_id, test)
      select given.test_id, given.version, ${organizationId}::uuid, ${apiId}::uuid, given.test
      from unnest(
        ${unknown.map(({ test }) => test.id)}::uuid[],
        ${unknown.map(({ test }) => test.version)}::int[],
        ${unknown.map(({ test }) => JSON.stringify(test))}::text[]
      ) as given(test_id, version, test)
      on conflict do nothing`.execute(transaction);
  }
  await sql`
    insert into ${table("executions")}
      (id, organization_id, run_id, test_id, test_version, test_name, api_id, method, path, row_index, trigger, queued_at)
    select given.id, ${organizationId}::uuid, ${run.id}::uuid, given.test_id, given.test_version, given.test_name,
      ${apiId}::uuid, given.method, given.path, given.row_index, ${run.trigger}, ${run.createdAt}::timestamptz
    from unnest(
      ${executions.map(({ id }) => id)}::uuid[],
      ${executions.map(({ test }) => test.id)}::uuid[],
      ${executions.map(({ test }) => test.version)}::int[],
      ${executions.map(({ test }) => test.name)}::text[],
      ${executions.map(({ test }) => test.method)}::text[],
      ${executions.map(({ test }) => test.path)}::text[],
      ${executions.map(({ rowIndex }) => rowIndex)}::int[]
    ) as given(id, test_id, test_version, test_name, method, path, row_index)`.execute(transaction);
  await sql`
    insert into ${table("latest_executions")}
      (organization_id, test_id, api_id, run_id, execution_id, state, queued_at, pending)
    select ${organizationId}::uuid, given.test_id, ${apiId}::uuid, ${run.id}::uuid, given.execution_id, 'queued',
      ${run.createdAt}::timestamptz, given.pending
    from unnest(
      ${inOrder.map(({ test }) => test.id)}::uuid[],
      ${inOrder.map(({ executionId }) => executionId)}::uuid[],
      ${inOrder.map(({ pending }) => pending)}::int[]
    ) as given(test_id, execution_id, pending)
    on conflict (organization_id, test_id) do update set
      api_id = excluded.api_id, run_id = excluded.run_id, execution_id = excluded.execution_id, state = excluded.state,
      verdict = null, status_code = null, response_milliseconds = null,
      queued_at = excluded.queued_at, finished_at = null, pending = excluded.pending`.execute(transaction);
}
