import { sql, type Transaction } from "kysely";
import type { RunStarter } from "#contracts/test-executioner/run-starters.ts";
import type { RunOrder, RunSource } from "#contracts/test-executioner/runs.ts";
import type { RunTrigger } from "#contracts/test-executioner/verdicts.ts";
import type { CirclePhase } from "#contracts/test-registry/circle-members.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import { rowNameColumn } from "#libraries/template/placeholders.ts";
import { shorten } from "#libraries/text/shorten.ts";
import { getPositionInSeries } from "../domain/places/judged-places.ts";
import { type CapturedValue, storeCaptures } from "./captures.ts";
import { notifyChanges, notifyWork } from "./changes.ts";
import type { Wanted } from "./plan-quota.ts";
import { writeStarter } from "./run-starters.ts";
import { type RunSurroundings, writeSurroundings } from "./surroundings.ts";
import { type ExecutionTables, type RunRow, table } from "./tables.ts";

export interface NewRun {
  id: string;
  organizationId: string;
  source: RunSource;
  surroundings: RunSurroundings;
  trigger: RunTrigger;
  startedBy: RunStarter | null;
  order: RunOrder;
  concurrency: number | null;
  stopOnFailure: boolean;
  leftOut: number;
  queuedAt: Date;
  /** Known at the start, of each of its places. */
  captures: CapturedValue[][];
  /** Members that each of several places has; null: there is one place. */
  seriesSize: number | null;
  /** The agent that started it at its due time, while the portal was away: newer runs may be stored already. */
  lateAgentId?: string;
  /** In their order; of several places one after the other. */
  executions: {
    id: string;
    phase: CirclePhase;
    test: Test;
    rowIndex: number | null;
    /** Whether it may count against the plan: false if a user manually repeats failures. */
    reserves: boolean;
    /** Where agents run it, if not the portal's workers. */
    locationId?: string | undefined;
  }[];
}

/** A run's share of its organization's plan. */
export const toWanted = ({ organizationId, executions, queuedAt }: NewRun): Wanted => ({
  organizationId,
  executions: executions.filter(({ reserves }) => reserves).length,
  month: queuedAt.toISOString().slice(0, "2026-04".length),
});

/** Stores runs with all their executions, in as many statements for ten thousand as for one. */
export async function insertRuns(transaction: Transaction<ExecutionTables>, runs: NewRun[]): Promise<void> {
  if (runs.length === 0) return;
  const starts = runs.map((run) => ({ run, tests: startsByTest(run) }));
  await insertRunRows(transaction, starts);
  await insertSnapshots(transaction, runs);
  await storeCaptures(
    transaction,
    runs.flatMap(({ id, organizationId, captures }) =>
      captures.map((own, series) => ({
        ...{ series, captures: own },
        execution: { run_id: id, organization_id: organizationId, position: 0 },
      })),
    ),
    ({ series }) => series,
  );
  await insertExecutions(transaction, runs);
  await putLatestExecutions(
    transaction,
    starts.flatMap(({ tests }) => [...tests.values()]),
  );
  await notifyChanges(
    transaction,
    runs.flatMap(({ id, surroundings }) => surroundings.apis.map(({ apiId }) => ({ run_id: id, api_id: apiId }))),
  );
  await notifyWork(
    transaction,
    runs.flatMap(({ organizationId, executions }) =>
      [...new Set(executions.map(({ locationId }) => locationId ?? null))].map((location_id) => ({
        organization_id: organizationId,
        location_id,
      })),
    ),
  );
}

/** The part of a run that belongs to one test. */
interface TestStart {
  run: NewRun;
  test: Test;
  executionId: string;
  /** More than one if the test has rows. */
  pending: number;
}

function startsByTest(run: NewRun): Map<string, TestStart> {
  const starts = new Map<string, TestStart>();
  for (const { id, test } of run.executions) {
    const known = starts.get(test.id);
    if (known) known.pending += 1;
    else starts.set(test.id, { run, test, executionId: id, pending: 1 });
  }
  return starts;
}

/** If a test has two runs, the later one counts; one that is stored late is not the later one. */
async function putLatestExecutions(transaction: Transaction<ExecutionTables>, starts: TestStart[]): Promise<void> {
  const latest = new Map(starts.map((start) => [start.test.id, start]));
  // All transactions lock several of these rows in the same order, or two runs could wait for each other.
  const inOrder = [...latest.values()].sort((a, b) => (a.test.id < b.test.id ? -1 : 1));
  const column = <Value>(read: (start: TestStart) => Value) => inOrder.map(read);
  await sql`
    insert into ${table("latest_executions")}
      (organization_id, test_id, api_id, run_id, execution_id, state, queued_at, pending, disabled)
    select given.organization_id, given.test_id, given.api_id, given.run_id, given.execution_id, 'queued',
      given.queued_at, given.pending, given.disabled
    from unnest(
      ${column(({ run }) => run.organizationId)}::uuid[],
      ${column(({ test }) => test.id)}::uuid[],
      ${column(({ test }) => test.apiId)}::uuid[],
      ${column(({ run }) => run.id)}::uuid[],
      ${column(({ executionId }) => executionId)}::uuid[],
      ${column(({ run }) => run.queuedAt)}::timestamptz[],
      ${column(({ pending }) => pending)}::int[],
      ${column(({ test }) => !test.enabled)}::boolean[],
      ${column(({ run }) => run.lateAgentId !== undefined)}::boolean[]
    ) as given(organization_id, test_id, api_id, run_id, execution_id, queued_at, pending, disabled, is_late)
    where not (given.is_late and exists (
      select from ${table("latest_executions")} latest
      where latest.organization_id = given.organization_id and latest.test_id = given.test_id
        and latest.queued_at > given.queued_at
    ))
    on conflict (organization_id, test_id) do update set
      api_id = excluded.api_id, run_id = excluded.run_id, execution_id = excluded.execution_id, state = excluded.state,
      verdict = null, status_code = null, response_milliseconds = null,
      queued_at = excluded.queued_at, finished_at = null, pending = excluded.pending,
      disabled = excluded.disabled`.execute(transaction);
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

function toColumns(source: RunSource): SourceColumns {
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

async function insertRunRows(
  transaction: Transaction<ExecutionTables>,
  starts: { run: NewRun; tests: Map<string, TestStart> }[],
): Promise<void> {
  const none = { cancelled: 0, passed: 0, failed: 0, errored: 0, flaky: 0, skipped: 0, blocked: 0 };
  await transaction
    .insertInto("runs")
    .values(
      starts.map(({ run, tests }) => ({
        ...toColumns(run.source),
        ...writeStarter(run.startedBy),
        ...none,
        id: run.id,
        organization_id: run.organizationId,
        api_id: run.surroundings.apis.length === 1 ? run.surroundings.apis[0]!.apiId : null,
        trigger: run.trigger,
        execution_order: run.order,
        ...{ concurrency: run.concurrency, stop_on_failure: run.stopOnFailure },
        surroundings: writeSurroundings(run.surroundings),
        ...{ state: "queued" as const, is_cancelled: false },
        tests: tests.size,
        executions: run.executions.length,
        unfinished: run.executions.length,
        ...{ left_out: run.leftOut, series_size: run.seriesSize, late_agent_id: run.lateAgentId ?? null },
        queued_at: run.queuedAt,
      })),
    )
    .execute();
  const overSeveral = starts.flatMap(({ run: { id, organizationId, surroundings } }) =>
    surroundings.apis.length < 2
      ? []
      : surroundings.apis.map(({ apiId }) => ({ run_id: id, organization_id: organizationId, api_id: apiId })),
  );
  if (overSeveral.length > 0) await transaction.insertInto("run_apis").values(overSeveral).execute();
}

async function insertSnapshots(transaction: Transaction<ExecutionTables>, runs: NewRun[]): Promise<void> {
  const toKey = (testId: string, version: number) => `${testId} ${version}`;
  const tests = new Map(
    runs.flatMap(({ organizationId, executions }) =>
      executions.map(({ test }) => [toKey(test.id, test.version), { organizationId, test }] as const),
    ),
  );
  const given = [...tests.values()];
  const known = await sql<{ test_id: string; version: number }>`
    select snapshot.test_id, snapshot.version
    from unnest(
      ${given.map(({ organizationId }) => organizationId)}::uuid[],
      ${given.map(({ test }) => test.id)}::uuid[],
      ${given.map(({ test }) => test.version)}::int[]
    ) as given(organization_id, test_id, version)
    join ${table("test_snapshots")} snapshot on snapshot.test_id = given.test_id and snapshot.version = given.version
      and snapshot.organization_id = given.organization_id`.execute(transaction);
  for (const { test_id, version } of known.rows) tests.delete(toKey(test_id, version));
  const unknown = [...tests.values()];
  if (unknown.length === 0) return;
  await sql`
    insert into ${table("test_snapshots")} (test_id, version, organization_id, api_id, test)
    select given.test_id, given.version, given.organization_id, given.api_id, given.test
    from unnest(
      ${unknown.map(({ test }) => test.id)}::uuid[],
      ${unknown.map(({ test }) => test.version)}::int[],
      ${unknown.map(({ organizationId }) => organizationId)}::uuid[],
      ${unknown.map(({ test }) => test.apiId)}::uuid[],
      ${unknown.map(({ test }) => JSON.stringify(test))}::text[]
    ) as given(test_id, version, organization_id, api_id, test)
    on conflict do nothing`.execute(transaction);
}

/** How many members of a place may start with the run; waiting ones are released as these end. */
function countFirst({ order, concurrency, ...run }: NewRun): number {
  const executions = run.executions.slice(0, run.seriesSize ?? undefined);
  if (order === "sequential" || executions[0]?.phase !== "main") return 1;
  if (concurrency === null) return executions.length;
  const beforeTearDown = executions.filter(({ phase }) => phase === "main").length;
  return Math.min(concurrency, beforeTearDown);
}

/** The test's data has it in full. */
const maxRowName = 200;

/** A text column can't contain NUL. */
function getRowName({ data }: Test, rowIndex: number | null): string | null {
  const name = rowIndex === null ? undefined : data?.[rowIndex]?.[rowNameColumn];
  return name ? shorten(name.replaceAll("\0", "").trim(), maxRowName) || null : null;
}

async function insertExecutions(transaction: Transaction<ExecutionTables>, runs: NewRun[]): Promise<void> {
  const executions = runs.flatMap((run) => {
    const first = countFirst(run);
    return run.executions.map((execution, index) => {
      const position = index + 1;
      return { ...execution, run, position, isFirst: getPositionInSeries(position, run.seriesSize) <= first };
    });
  });
  const column = <Value>(read: (execution: (typeof executions)[number]) => Value) => executions.map(read);
  await sql`
    insert into ${table("unfinished_executions")}
      (id, organization_id, run_id, position, phase, test_id, test_version, test_name, api_id, method, path, row_index,
        row_name, trigger, queued_at, is_released, reserves, location_id)
    select *
    from unnest(
      ${column(({ id }) => id)}::uuid[],
      ${column(({ run }) => run.organizationId)}::uuid[],
      ${column(({ run }) => run.id)}::uuid[],
      ${column(({ position }) => position)}::int[],
      ${column(({ phase }) => phase)}::text[],
      ${column(({ test }) => test.id)}::uuid[],
      ${column(({ test }) => test.version)}::int[],
      ${column(({ test }) => test.name)}::text[],
      ${column(({ test }) => test.apiId)}::uuid[],
      ${column(({ test }) => test.method)}::text[],
      ${column(({ test }) => test.path)}::text[],
      ${column(({ rowIndex }) => rowIndex)}::int[],
      ${column(({ test, rowIndex }) => getRowName(test, rowIndex))}::text[],
      ${column(({ run }) => run.trigger)}::text[],
      ${column(({ run }) => run.queuedAt)}::timestamptz[],
      ${column(({ isFirst }) => isFirst)}::boolean[],
      ${column(({ reserves }) => reserves)}::boolean[],
      ${column(({ locationId }) => locationId ?? null)}::uuid[]
    )`.execute(transaction);
}
