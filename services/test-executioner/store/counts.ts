import { type QueryExecutorProvider, sql } from "kysely";
import { executionVerdicts } from "#contracts/test-executioner/verdicts.ts";
import { prepared } from "../../kit/database/prepared.ts";
import { normalizeMethod } from "../domain/operation-key.ts";
import { portalName } from "../domain/places/place-subjects.ts";
import {
  type Count,
  type CountedExecution,
  count,
  groupInOrder,
  type HourlyAddend,
  inOrderOfEnds,
  type JudgedMember,
  type Outcomes,
  toAddend,
  toHourlyAddends,
  toJudgedAddends,
} from "../domain/tally.ts";
import { countDaysHere } from "./day-count-migration.ts";
import { followOutcomes, lockOutcomes, storeOutcomes } from "./last-outcomes.ts";
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

/** The same as `toPlaceSubject`. @param place column with the id of a location, or the portal's name */
export const placeSubject = (subject: string, place: string) =>
  sql`md5(concat(${sql.ref(subject)}, ' ', ${sql.ref(place)}))::uuid`;

/** Adds finished executions to the counts, in five statements whatever their number. */
export async function countExecutions(db: QueryExecutorProvider, finished: readonly CountedExecution[]): Promise<void> {
  await Promise.all(addCounts(db, finished, await lockOutcomes(db, finished)));
}

/**
 * The statements that add to the counts. They belong at the end of the transaction that stores the results, once: the
 * rows of an organization and its APIs are shared by all transactions, and stay locked until it ends.
 * @param before result of `lockOutcomes`
 * @param judged members of runs from several places that ended with these executions
 */
export function addCounts(
  db: QueryExecutorProvider,
  finished: readonly CountedExecution[],
  before: ReadonlyMap<string, Outcomes>,
  judged: readonly JudgedMember[] = [],
): Promise<void>[] {
  if (finished.length === 0) return judged.length > 0 ? [addToHours(db, toJudgedAddends(judged))] : [];
  const { unsteady, last } = followOutcomes(finished, before);
  const executions = inOrderOfEnds(finished).map((execution) => ({
    ...execution,
    method: normalizeMethod(execution.method),
  }));
  return [
    storeOutcomes(db, last),
    updateOperationVerdicts(db, executions),
    addToOperations(db, executions, unsteady),
    addToHours(db, [...toHourlyAddends(executions, (id) => unsteady.has(id)), ...toJudgedAddends(judged)]),
  ];
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
  const counts = groups.map((group) => count(group.map((one) => toAddend(one, unsteady.has(one.id)))));
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

async function addToHours(db: QueryExecutorProvider, addends: readonly HourlyAddend[]): Promise<void> {
  const groups = groupInOrder(
    addends,
    ({ organizationId, subjectId, finishedAt }) => `${organizationId} ${subjectId} ${getHour(finishedAt)}`,
  );
  const counts = groups.map(count);
  // Rows are locked in one order by all transactions, known and new ones alike.
  await sql`${prepared("add_to_hours")}
    with counting as materialized (
      select ${countDaysHere}
    ), given as materialized (
      select given.* from counting, unnest(
        ${groups.map(([{ organizationId }]) => organizationId)}::uuid[],
        ${groups.map(([{ subjectId }]) => subjectId)}::uuid[],
        ${groups.map(([{ finishedAt }]) => getHour(finishedAt))}::timestamptz[],
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
  await forgetCountsByPlace(db, organizationId, testIds);
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

/** Of places that were deleted before, retention deletes them. */
async function forgetCountsByPlace(db: ExecutionDatabase, organizationId: string, subjectIds: string[]): Promise<void> {
  const forget = sql`delete from ${table("execution_counts")}
    where organization_id = ${organizationId}::uuid and subject_id in (
      select ${placeSubject("given.id", "place.id")} from unnest(${subjectIds}::uuid[]) as given(id), (
        select id::text from ${table("locations")} where organization_id = ${organizationId}::uuid
        union all select ${sql.lit(portalName)}
      ) as place(id)
    )`;
  await retryDeadlock(() => forget.execute(db));
}

/** Deletes a circle's counts. */
export async function forgetCountsOfCircle(
  db: ExecutionDatabase,
  organizationId: string,
  testCircleId: string,
): Promise<void> {
  await forgetCountsByPlace(db, organizationId, [testCircleId]);
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
