import { sql, type Transaction } from "kysely";
import type { CirclePhase } from "../../test-registry/contract/circle-members.ts";
import type { Test } from "../../test-registry/contract/tests.ts";
import type { RunOrder, RunSource } from "../contract/runs.ts";
import type { RunTrigger } from "../contract/verdicts.ts";
import { type CapturedValue, storeCaptures } from "./captures.ts";
import { tellChanges, tellWork } from "./changes.ts";
import { type RunSurroundings, writeSurroundings } from "./surroundings.ts";
import { type ExecutionTables, type RunRow, table } from "./tables.ts";

export interface NewRun {
  id: string;
  organizationId: string;
  source: RunSource;
  surroundings: RunSurroundings;
  trigger: RunTrigger;
  order: RunOrder;
  concurrency: number | null;
  stopOnFailure: boolean;
  leftOut: number;
  queuedAt: Date;
  /** Known from its start. */
  captures: CapturedValue[];
  /** In their order. */
  executions: { id: string; phase: CirclePhase; test: Test; rowIndex: number | null }[];
}

/** Stores a run with all its executions, in as many statements for ten thousand as for one. */
export async function insertRun(transaction: Transaction<ExecutionTables>, run: NewRun): Promise<void> {
  const tests = new Map<string, { test: Test; executionId: string; pending: number }>();
  for (const { id, test } of run.executions) {
    const known = tests.get(test.id);
    if (known) known.pending += 1;
    else tests.set(test.id, { test, executionId: id, pending: 1 });
  }
  // One order for everybody who locks several of these rows, or two runs could wait for each other.
  const inOrder = [...tests.values()].sort((a, b) => (a.test.id < b.test.id ? -1 : 1));
  await insertRunRow(transaction, run, inOrder.length);
  await insertSnapshots(
    transaction,
    run.organizationId,
    inOrder.map(({ test }) => test),
  );
  const before = { run_id: run.id, organization_id: run.organizationId, position: 0 };
  await storeCaptures(transaction, [{ execution: before, captures: run.captures }]);
  await insertExecutions(transaction, run);
  await sql`
    insert into ${table("latest_executions")}
      (organization_id, test_id, api_id, run_id, execution_id, state, queued_at, pending)
    select ${run.organizationId}::uuid, given.test_id, given.api_id, ${run.id}::uuid, given.execution_id, 'queued',
      ${run.queuedAt}::timestamptz, given.pending
    from unnest(
      ${inOrder.map(({ test }) => test.id)}::uuid[],
      ${inOrder.map(({ test }) => test.apiId)}::uuid[],
      ${inOrder.map(({ executionId }) => executionId)}::uuid[],
      ${inOrder.map(({ pending }) => pending)}::int[]
    ) as given(test_id, api_id, execution_id, pending)
    on conflict (organization_id, test_id) do update set
      api_id = excluded.api_id, run_id = excluded.run_id, execution_id = excluded.execution_id, state = excluded.state,
      verdict = null, status_code = null, response_milliseconds = null,
      queued_at = excluded.queued_at, finished_at = null, pending = excluded.pending`.execute(transaction);
  await tellChanges(
    transaction,
    run.surroundings.apis.map(({ apiId }) => ({ run_id: run.id, api_id: apiId })),
  );
  await tellWork(transaction);
}

type SourceColumns = Pick<
  RunRow,
  | "source_kind"
  | "test_id"
  | "test_name"
  | "include"
  | "rerun_of"
  | "rerun_from"
  | "test_circle_id"
  | "test_circle_name"
>;

function columnsOf(source: RunSource): SourceColumns {
  const circle = source.kind === "circle" ? source : source.kind === "rerun" ? source.circle : undefined;
  return {
    source_kind: source.kind,
    test_id: source.kind === "test" ? source.testId : null,
    test_name: source.kind === "test" ? source.testName : null,
    include: source.kind === "api" ? source.include : null,
    rerun_of: source.kind === "rerun" ? source.runId : null,
    rerun_from: source.kind === "rerun" ? (source.from ?? null) : null,
    test_circle_id: circle?.testCircleId ?? null,
    test_circle_name: circle?.testCircleName ?? null,
  };
}

async function insertRunRow(transaction: Transaction<ExecutionTables>, run: NewRun, testCount: number): Promise<void> {
  const { apis } = run.surroundings;
  const none = { cancelled: 0, passed: 0, failed: 0, errored: 0, flaky: 0, skipped: 0, blocked: 0 };
  await transaction
    .insertInto("runs")
    .values({
      ...columnsOf(run.source),
      ...none,
      id: run.id,
      organization_id: run.organizationId,
      api_id: apis.length === 1 ? apis[0]!.apiId : null,
      trigger: run.trigger,
      execution_order: run.order,
      concurrency: run.concurrency,
      stop_on_failure: run.stopOnFailure,
      surroundings: writeSurroundings(run.surroundings),
      state: "queued",
      is_cancelled: false,
      tests: testCount,
      executions: run.executions.length,
      unfinished: run.executions.length,
      left_out: run.leftOut,
      queued_at: run.queuedAt,
    })
    .execute();
  if (apis.length < 2) return;
  await transaction
    .insertInto("run_apis")
    .values(apis.map(({ apiId }) => ({ run_id: run.id, organization_id: run.organizationId, api_id: apiId })))
    .execute();
}

async function insertSnapshots(
  transaction: Transaction<ExecutionTables>,
  organizationId: string,
  tests: Test[],
): Promise<void> {
  const known = await sql<{ test_id: string; version: number }>`
    select snapshot.test_id, snapshot.version
    from unnest(${tests.map(({ id }) => id)}::uuid[], ${tests.map(({ version }) => version)}::int[])
      as given(test_id, version)
    join ${table("test_snapshots")} snapshot on snapshot.test_id = given.test_id and snapshot.version = given.version
      and snapshot.organization_id = ${organizationId}::uuid`.execute(transaction);
  const knownKeys = new Set(known.rows.map((row) => `${row.test_id} ${row.version}`));
  const unknown = tests.filter((test) => !knownKeys.has(`${test.id} ${test.version}`));
  if (unknown.length === 0) return;
  await sql`
    insert into ${table("test_snapshots")} (test_id, version, organization_id, api_id, test)
    select given.test_id, given.version, ${organizationId}::uuid, given.api_id, given.test
    from unnest(
      ${unknown.map((test) => test.id)}::uuid[],
      ${unknown.map((test) => test.version)}::int[],
      ${unknown.map((test) => test.apiId)}::uuid[],
      ${unknown.map((test) => JSON.stringify(test))}::text[]
    ) as given(test_id, version, api_id, test)
    on conflict do nothing`.execute(transaction);
}

/** How many members may start at once when the run does; those that wait for them are released by their endings. */
function countFirst({ order, concurrency, executions }: NewRun): number {
  if (order === "sequential" || executions[0]?.phase !== "main") return 1;
  if (concurrency === null) return executions.length;
  const beforeTearDown = executions.filter(({ phase }) => phase === "main").length;
  return Math.min(concurrency, beforeTearDown);
}

async function insertExecutions(transaction: Transaction<ExecutionTables>, run: NewRun): Promise<void> {
  const { executions } = run;
  await sql`
    insert into ${table("unfinished_executions")}
      (id, organization_id, run_id, position, phase, test_id, test_version, test_name, api_id, method, path, row_index,
        trigger, queued_at, is_released)
    select given.id, ${run.organizationId}::uuid, ${run.id}::uuid, given.position::int, given.phase, given.test_id,
      given.test_version, given.test_name, given.api_id, given.method, given.path, given.row_index, ${run.trigger},
      ${run.queuedAt}::timestamptz, given.position <= ${countFirst(run)}::int
    from unnest(
      ${executions.map(({ id }) => id)}::uuid[],
      ${executions.map(({ phase }) => phase)}::text[],
      ${executions.map(({ test }) => test.id)}::uuid[],
      ${executions.map(({ test }) => test.version)}::int[],
      ${executions.map(({ test }) => test.name)}::text[],
      ${executions.map(({ test }) => test.apiId)}::uuid[],
      ${executions.map(({ test }) => test.method)}::text[],
      ${executions.map(({ test }) => test.path)}::text[],
      ${executions.map(({ rowIndex }) => rowIndex)}::int[]
    ) with ordinality
      as given(id, phase, test_id, test_version, test_name, api_id, method, path, row_index, position)`.execute(
    transaction,
  );
}
