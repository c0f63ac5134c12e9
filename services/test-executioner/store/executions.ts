import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Execution, ExecutionSummary, OutcomeSort } from "#contracts/test-executioner/executions.ts";
import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import type { Executor } from "../../kit/database/database.ts";
import { firstIdOf } from "../../kit/database/id-time.ts";
import { pageFrom } from "../../kit/database/keyset.ts";
import { parseCause } from "./causes.ts";
import { findDetails, parseAttempts } from "./details.ts";
import { orderOutcomes } from "./outcome-order.ts";
import { type ExecutionDatabase, type ExecutionRow, type ExecutionTables, table } from "./tables.ts";

const shared = sql`id, organization_id, run_id, position, phase, test_id, test_version, test_name, api_id, method, path, row_index,
  row_name, location_id, trigger, queued_at, started_at`;

/** The tables of unfinished and of finished executions, as rows of the same shape. */
export const sources = {
  unfinished: sql`(select ${shared}, case when state = 'running' then agent_id end as agent_id, state, null::text as verdict, null::text as cause, null::text as reason,
    0 as attempt_count, null::int as status_code, null::float8 as response_milliseconds,
    null::real as sending_milliseconds, null::real as storing_milliseconds, null::timestamptz as finished_at from ${table("unfinished_executions")})`,
  ended: sql`(select ${shared}, agent_id, state, verdict, cause, reason, attempt_count, status_code, response_milliseconds,
    sending_milliseconds, storing_milliseconds, finished_at from ${table("executions")})`,
};

export function toSummary(row: ExecutionRow): ExecutionSummary {
  return {
    id: row.id,
    runId: row.run_id,
    testId: row.test_id,
    testName: row.test_name,
    apiId: row.api_id,
    method: row.method,
    path: row.path,
    ...(row.row_index === null ? {} : { row: row.row_index + 1 }),
    ...(row.row_name === null ? {} : { rowName: row.row_name }),
    ...describeLocation(row),
    state: row.state,
    verdict: row.verdict,
    ...(row.cause === null ? {} : { cause: parseCause(row.cause) }),
    reason: row.reason,
    trigger: row.trigger,
    attemptCount: row.attempt_count,
    statusCode: row.status_code,
    responseMilliseconds: row.response_milliseconds,
    queuedAt: row.queued_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

/** An agent that the portal was away from for longer has stored its result meanwhile. */
const lateMilliseconds = 60_000;

export function describeLocation(row: Pick<ExecutionRow, "location_id" | "agent_id" | "storing_milliseconds">) {
  if (row.location_id === null) return {};
  const isLate = (row.storing_milliseconds ?? 0) > lateMilliseconds;
  return {
    locationId: row.location_id,
    ...(row.agent_id === null ? {} : { agentId: row.agent_id }),
    ...(isLate ? { isLate: true as const } : {}),
  };
}

/** One statement finds it in exactly one of the tables. */
export async function findExecution(
  db: Executor<ExecutionTables>,
  organizationId: string,
  executionId: string,
): Promise<ExecutionRow | undefined> {
  const isIt = sql`id = ${executionId}::uuid and organization_id = ${organizationId}::uuid`;
  const { rows } = await sql<ExecutionRow>`
    select * from ${sources.unfinished} unfinished where ${isIt}
    union all
    select * from ${sources.ended} ended where ${isIt}`.execute(db);
  return rows[0];
}

export async function findExecutionWithAttempts(
  db: ExecutionDatabase,
  organizationId: string,
  executionId: string,
): Promise<Execution | undefined> {
  const row = await findExecution(db, organizationId, executionId);
  if (!row) return undefined;
  const details = row.finished_at ? await findDetails(db, organizationId, executionId) : undefined;
  const base = details?.base_id ? await findExecution(db, organizationId, details.base_id) : undefined;
  return {
    ...toSummary(row),
    attempts: details ? parseAttempts(details) : [],
    ...(base?.finished_at ? { sameResponseAs: { id: base.id, finishedAt: base.finished_at.toISOString() } } : {}),
  };
}

export interface ExecutionFilter extends TimeFilter {
  limit: number;
  cursor?: string;
  verdict?: Verdict;
  trigger?: ExecutionRow["trigger"];
  sort?: OutcomeSort;
}

/** Ids are created slightly before or after their time by the clock; one day's margin lets partitions be skipped. */
const day = 86_400_000;

export interface TimeFilter {
  from?: Date;
  to?: Date;
  /** Also those that were active at `from`. */
  active?: "true";
}

/** @param isUnfinished in a table without an end: all of it is still active */
export function withinTime({ from, to, active }: TimeFilter, isUnfinished = false): RawBuilder<SqlBool> {
  const atFrom = !active
    ? sql`queued_at >= ${from}::timestamptz`
    : isUnfinished
      ? sql`true`
      : sql`coalesce(finished_at >= ${from}::timestamptz, true)`;
  const since = from ? sql` and id >= ${firstIdOf(new Date(from.getTime() - day))}::uuid and ${atFrom}` : sql``;
  const until = to
    ? sql` and queued_at < ${to}::timestamptz and id < ${firstIdOf(new Date(to.getTime() + day))}::uuid`
    : sql``;
  return sql<SqlBool>`true${since}${until}`;
}

export async function listExecutions(
  db: ExecutionDatabase,
  organizationId: string,
  testId: string,
  filter: ExecutionFilter,
) {
  const { wheres, order, innerOrder, hasVerdictOnly, cursorOf } = orderOutcomes(filter.sort, filter.cursor);
  const verdict = filter.verdict ? sql` and verdict = ${filter.verdict}` : sql``;
  const trigger = filter.trigger ? sql` and trigger = ${filter.trigger}` : sql``;
  const pages = (hasVerdictOnly ? [sources.ended] : [sources.unfinished, sources.ended]).flatMap((source) =>
    wheres.map(
      (from) => sql`
    (select * from ${source} execution
    where organization_id = ${organizationId}::uuid and test_id = ${testId}::uuid and ${withinTime(filter)}
      and ${from}${verdict}${trigger}
    order by ${innerOrder} limit ${filter.limit + 1})`,
    ),
  );
  if (pages.length === 0) return { items: [], nextCursor: null };
  const { rows } = await sql<ExecutionRow>`
    select * from (${sql.join(pages, sql` union all `)}) found
    order by ${order} limit ${filter.limit + 1}`.execute(db);
  return pageFrom(rows, filter.limit, cursorOf, toSummary);
}
