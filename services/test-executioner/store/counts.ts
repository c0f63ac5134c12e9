import { type QueryExecutorProvider, sql } from "kysely";
import { executionVerdicts } from "#contracts/test-executioner/verdicts.ts";
import { prepared } from "../../kit/database/prepared.ts";
import { normalizeMethod } from "../domain/operation-key.ts";
import {
  type Count,
  type CountedExecution,
  count,
  findUnsteady,
  groupInOrder,
  hasRun,
  type Outcomes,
} from "../domain/tally.ts";
import { countDaysHere } from "./day-count-migration.ts";
import { retryDeadlock } from "./retry-deadlock.ts";
import { type ExecutionDatabase, table } from "./tables.ts";

export const countersOfOperations = [...executionVerdicts, "response_times", "unsteady"] as const;
export const countersOfHours = [...countersOfOperations, "available", "unavailable"] as const;
type Counter = (typeof countersOfHours)[number];

const list = (names: readonly Counter[]) => sql.raw(names.join(", "));
const sums = (names: readonly Counter[]) =>
  sql.raw(names.map((name) => `${name} = counts.${name} + excluded.${name}`).join(", "));
const ofOperations = { columns: list(countersOfOperations), sums: sums(countersOfOperations) };
const ofHours = { columns: list(countersOfHours), sums: sums(countersOfHours) };
const totals = sql.raw(countersOfHours.map((name) => `sum(${name})`).join(", "));

function counterArrays(counts: readonly Count[], counters: readonly Counter[]) {
  const rows = counts.map((one) => ({ ...one.verdicts, ...one }));
  return sql.join(
    counters.map((counter) =>
      counter === "response_times"
        ? sql`${rows.map((one) => one.responseTimes)}::numeric[]`
        : sql`${rows.map((one) => one[counter])}::int[]`,
    ),
  );
}

/** A fixed-length id, the same in every statement: paths may be longer than an index allows. */
export const operationId = (method: string, path: string) =>
  sql`md5(${sql.ref(method)} || ' ' || ${sql.ref(path)})::uuid`;

/** Adds finished executions to the counts, in five statements whatever their number. */
export async function countExecutions(db: QueryExecutorProvider, finished: readonly CountedExecution[]): Promise<void> {
  await Promise.all(addCounts(db, finished, await lockOutcomes(db, finished)));
}

const inOrder = <One extends Pick<CountedExecution, "id" | "finishedAt">>(finished: readonly One[]) =>
  [...finished].sort(
    (one, other) => one.finishedAt.getTime() - other.finishedAt.getTime() || (one.id < other.id ? -1 : 1),
  );

/**
 * The statements that add to the counts. They belong at the end of the transaction that stores the results, once: the
 * rows of an organization and its APIs are shared by all transactions, and stay locked until it ends.
 * @param before result of `lockOutcomes`
 */
export function addCounts(
  db: QueryExecutorProvider,
  finished: readonly CountedExecution[],
  before: ReadonlyMap<string, Outcomes>,
): Promise<void>[] {
  if (finished.length === 0) return [];
  const { unsteady, last } = followOutcomes(finished, before);
  const executions = inOrder(finished).map((execution) => ({
    ...execution,
    method: normalizeMethod(execution.method),
  }));
  return [
    storeOutcomes(db, last),
    updateOperationVerdicts(db, executions),
    addToOperations(db, executions, unsteady),
    addToHours(db, executions, unsteady),
  ];
}

type Judged = Pick<CountedExecution, "id" | "organizationId" | "testId" | "rowIndex" | "verdict" | "finishedAt">;

const dataRow = ({ rowIndex }: Judged) => (rowIndex === null ? 0 : rowIndex + 1);
const toKey = (execution: Judged) => `${execution.organizationId} ${execution.testId} ${dataRow(execution)}`;
const groupByTest = <One extends Judged>(finished: readonly One[]) =>
  groupInOrder(inOrder(finished.filter(hasRun)), toKey);

/** Locks and returns tests' outcomes so far; `addCounts` stores the new ones. Unknown tests get a row, and no outcomes. */
export async function lockOutcomes(
  db: QueryExecutorProvider,
  finished: readonly Judged[],
): Promise<Map<string, Outcomes>> {
  const groups = groupByTest(finished);
  if (groups.length === 0) return new Map();
  const { rows } = await sql<LockedOutcomes>`${prepared("lock_known_outcomes")}
    with given as materialized (
      ${toRows(groups)}
    ), added as (
      insert into ${table("last_verdicts")} as last (organization_id, test_id, data_row, verdict)
      select * from given on conflict (organization_id, test_id, data_row) do nothing
      returning ${outcomeColumns}
    ), known as (
      select ${outcomeColumns} from given join ${table("last_verdicts")} last using (organization_id, test_id, data_row)
      order by organization_id, test_id, data_row for update of last
    )
    select * from added union all select * from known`.execute(db);
  const locked = new Set(rows.map(({ key }) => key));
  const missing = groups.filter(([first]) => !locked.has(toKey(first)));
  const all = missing.length === 0 ? rows : [...rows, ...(await lockNewOutcomes(db, missing))];
  return new Map(all.map(({ key, ...outcomes }) => [key, outcomes]));
}

type LockedOutcomes = Outcomes & { key: string };

const outcomeColumns = sql`organization_id || ' ' || test_id || ' ' || data_row as key, last.verdict,
  last.configuration::text as configuration, coalesce(last.has_passed, false) as "hasPassed",
  coalesce(last.has_failed, false) as "hasFailed"`;

const toRows = (groups: [Judged, ...Judged[]][]) => sql`select * from unnest(
  ${groups.map(([{ organizationId }]) => organizationId)}::uuid[],
  ${groups.map(([{ testId }]) => testId)}::uuid[],
  ${groups.map(([first]) => dataRow(first))}::int[],
  ${groups.map(([{ verdict }]) => verdict)}::text[]
) as given(organization_id, test_id, data_row, verdict)`;

/** Of those that another transaction has added since this statement's snapshot. */
async function lockNewOutcomes(db: QueryExecutorProvider, groups: [Judged, ...Judged[]][]): Promise<LockedOutcomes[]> {
  const { rows } = await sql<LockedOutcomes>`
    insert into ${table("last_verdicts")} as last (organization_id, test_id, data_row, verdict)
    ${toRows(groups)}
    on conflict (organization_id, test_id, data_row) do update set verdict = last.verdict
    returning ${outcomeColumns}`.execute(db);
  return rows;
}

interface LastOutcomes {
  of: Judged;
  outcomes: Outcomes;
}

const isSame = (one: Outcomes, other: Outcomes | undefined) =>
  one.verdict === other?.verdict &&
  one.configuration === other.configuration &&
  one.hasPassed === other.hasPassed &&
  one.hasFailed === other.hasFailed;

/** The outcomes of tests for which they have changed. */
function followOutcomes(finished: readonly CountedExecution[], before: ReadonlyMap<string, Outcomes>) {
  const unsteady = new Set<string>();
  const last: LastOutcomes[] = [];
  for (const group of groupByTest(finished)) {
    const followed = findUnsteady(group, before.get(toKey(group[0])) ?? null);
    for (const id of followed.unsteady) unsteady.add(id);
    const outcomes = followed.outcomes!;
    if (!isSame(outcomes, before.get(toKey(group[0])))) last.push({ of: group[0], outcomes });
  }
  return { unsteady, last };
}

async function storeOutcomes(db: QueryExecutorProvider, last: readonly LastOutcomes[]): Promise<void> {
  if (last.length === 0) return;
  await sql`${prepared("store_outcomes")}
    update ${table("last_verdicts")} last
    set verdict = given.verdict, configuration = given.configuration, has_passed = given.has_passed,
      has_failed = given.has_failed
    from unnest(
      ${last.map(({ of }) => of.organizationId)}::uuid[],
      ${last.map(({ of }) => of.testId)}::uuid[],
      ${last.map(({ of }) => dataRow(of))}::int[],
      ${last.map(({ outcomes }) => outcomes.verdict)}::text[],
      ${last.map(({ outcomes }) => outcomes.configuration)}::uuid[],
      ${last.map(({ outcomes }) => outcomes.hasPassed)}::bool[],
      ${last.map(({ outcomes }) => outcomes.hasFailed)}::bool[]
    ) as given(organization_id, test_id, data_row, verdict, configuration, has_passed, has_failed)
    where (last.organization_id, last.test_id, last.data_row)
      = (given.organization_id, given.test_id, given.data_row)`.execute(db);
}

async function updateOperationVerdicts(db: QueryExecutorProvider, executions: CountedExecution[]): Promise<void> {
  const answered = executions.filter(({ statusCode }) => statusCode !== null);
  if (answered.length === 0) return;
  const last = groupInOrder(answered, ({ organizationId, apiId, method, path, statusCode }) =>
    [organizationId, apiId, statusCode, method, path].join(" "),
  ).map((group) => group.at(-1)!);
  const column = <Value>(read: (execution: CountedExecution) => Value) => last.map(read);
  await sql`${prepared("update_operation_verdicts")}
    insert into ${table("operation_verdicts")} as known
      (organization_id, api_id, operation_id, status_code, verdict, execution_id, test_id, finished_at)
    select organization_id, api_id, ${operationId("method", "path")}, status_code, verdict, execution_id, test_id,
      finished_at
    from unnest(
      ${column(({ organizationId }) => organizationId)}::uuid[],
      ${column(({ apiId }) => apiId)}::uuid[],
      ${column(({ method }) => method)}::text[],
      ${column(({ path }) => path)}::text[],
      ${column(({ statusCode }) => statusCode)}::int[],
      ${column(({ verdict }) => verdict)}::text[],
      ${column(({ id }) => id)}::uuid[],
      ${column(({ testId }) => testId)}::uuid[],
      ${column(({ finishedAt }) => finishedAt.toISOString())}::timestamptz[]
    ) as last(organization_id, api_id, method, path, status_code, verdict, execution_id, test_id, finished_at)
    on conflict (organization_id, api_id, operation_id, status_code) do update
      set verdict = excluded.verdict, execution_id = excluded.execution_id, test_id = excluded.test_id,
        finished_at = excluded.finished_at
      where (known.finished_at, known.execution_id) < (excluded.finished_at, excluded.execution_id)`.execute(db);
}

const getDay = (moment: Date) => moment.toISOString().slice(0, "2026-01-31".length);
const getHour = (moment: Date) => `${moment.toISOString().slice(0, "2026-01-31T08".length)}:00Z`;

async function addToOperations(
  db: QueryExecutorProvider,
  executions: CountedExecution[],
  unsteady: Set<string>,
): Promise<void> {
  const groups = groupInOrder(executions, ({ organizationId, apiId, method, path, finishedAt }) =>
    [organizationId, getDay(finishedAt), apiId, method, path].join(" "),
  );
  const column = <Value>(read: (execution: CountedExecution) => Value) => groups.map(([first]) => read(first));
  const counts = groups.map((group) => count(group, (id) => unsteady.has(id)));
  await sql`${prepared("add_to_operations")}
    insert into ${table("operation_counts")} as counts
      (organization_id, day, api_id, operation_id, method, path, ${ofOperations.columns})
    select organization_id, day, api_id, ${operationId("method", "path")}, method, path, ${ofOperations.columns}
    from unnest(
      ${column(({ organizationId }) => organizationId)}::uuid[],
      ${column(({ finishedAt }) => getDay(finishedAt))}::date[],
      ${column(({ apiId }) => apiId)}::uuid[],
      ${column(({ method }) => method)}::text[],
      ${column(({ path }) => path)}::text[],
      ${counterArrays(counts, countersOfOperations)}
    ) as given(organization_id, day, api_id, method, path, ${ofOperations.columns})
    on conflict (organization_id, day, api_id, operation_id) do update set ${ofOperations.sums}`.execute(db);
}

async function addToHours(
  db: QueryExecutorProvider,
  executions: CountedExecution[],
  unsteady: Set<string>,
): Promise<void> {
  const perSubject = executions.flatMap((execution) =>
    [execution.organizationId, execution.apiId, execution.testId, execution.testCircleId].flatMap((subjectId) =>
      subjectId === null ? [] : [{ subjectId, execution }],
    ),
  );
  const groups = groupInOrder(
    perSubject,
    ({ subjectId, execution }) => `${execution.organizationId} ${subjectId} ${getHour(execution.finishedAt)}`,
  );
  const counts = groups.map((group) =>
    count(
      group.map(({ execution }) => execution),
      (id) => unsteady.has(id),
    ),
  );
  // Rows are locked in one order by all transactions, known and new ones alike.
  await sql`${prepared("add_to_hours")}
    with counting as materialized (
      select ${countDaysHere}
    ), given as materialized (
      select given.* from counting, unnest(
        ${groups.map(([{ execution }]) => execution.organizationId)}::uuid[],
        ${groups.map(([{ subjectId }]) => subjectId)}::uuid[],
        ${groups.map(([{ execution }]) => getHour(execution.finishedAt))}::timestamptz[],
        ${counterArrays(counts, countersOfHours)}
      ) as given(organization_id, subject_id, hour, ${ofHours.columns})
    ), days as (
      insert into ${table("day_counts")} as counts (organization_id, subject_id, day, ${ofHours.columns})
      select organization_id, subject_id, (hour at time zone 'UTC')::date, ${totals}
      from given group by 1, 2, 3 order by 1, 2, 3
      on conflict (organization_id, subject_id, day) do update set ${ofHours.sums}
    )
    insert into ${table("execution_counts")} as counts (organization_id, subject_id, hour, ${ofHours.columns})
    select * from given order by organization_id, subject_id, hour
    on conflict (organization_id, subject_id, hour) do update set ${ofHours.sums}`.execute(db);
}

/**
 * Deletes data about tests: their counts and last verdicts, and the last responses of operations to them. Counts of
 * their operations, API and organization stay unchanged.
 */
export async function forgetCountsOfTests(
  db: ExecutionDatabase,
  organizationId: string,
  testIds: string[],
): Promise<void> {
  for (const [name, column] of [
    ["execution_counts", "subject_id"],
    ["last_verdicts", "test_id"],
    ["operation_verdicts", "test_id"],
  ] as const) {
    const forget = sql`delete from ${table(name)}
      where organization_id = ${organizationId}::uuid and ${sql.ref(column)} = any(${testIds}::uuid[])`;
    await retryDeadlock(() => forget.execute(db));
  }
}

/** Deletes a circle's counts. */
export async function forgetCountsOfCircle(
  db: ExecutionDatabase,
  organizationId: string,
  testCircleId: string,
): Promise<void> {
  const forget = sql`delete from ${table("execution_counts")}
    where organization_id = ${organizationId}::uuid and subject_id = ${testCircleId}::uuid`;
  await retryDeadlock(() => forget.execute(db));
}

/** Deletes the counts of APIs and their operations; those of their organization stay unchanged. */
export async function forgetCountsOfApis(
  db: ExecutionDatabase,
  organizationId: string,
  apiIds: string[],
): Promise<void> {
  for (const [name, column] of [
    ["execution_counts", "subject_id"],
    ["operation_counts", "api_id"],
    ["operation_verdicts", "api_id"],
  ] as const) {
    const forget = sql`delete from ${table(name)}
      where organization_id = ${organizationId}::uuid and ${sql.ref(column)} = any(${apiIds}::uuid[])`;
    await retryDeadlock(() => forget.execute(db));
  }
}
