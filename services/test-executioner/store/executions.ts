import { sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import { decodeCursor, pageFrom } from "../../kit/database/keyset.ts";
import { Problem } from "../../kit/problem/problem.ts";
import type { Attempt, Cause, Execution, ExecutionSummary, Verdict } from "../contract/executions.ts";
import type { ExecutionDatabase, ExecutionRow, ExecutionTables } from "./tables.ts";

export function toSummary(row: ExecutionRow): ExecutionSummary {
  return {
    id: row.id,
    testId: row.test_id,
    testName: row.test_name,
    apiId: row.api_id,
    method: row.method,
    path: row.path,
    ...(row.row_index === null ? {} : { row: row.row_index + 1 }),
    state: row.state,
    verdict: row.verdict,
    ...(row.cause === null ? {} : { cause: JSON.parse(row.cause) as Cause }),
    trigger: row.trigger,
    attemptCount: row.attempt_count,
    statusCode: row.status_code,
    responseMilliseconds: row.response_milliseconds,
    queuedAt: row.queued_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

export async function findExecution(
  db: ExecutionDatabase,
  organizationId: string,
  executionId: string,
): Promise<ExecutionRow | undefined> {
  return await db
    .selectFrom("executions")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", executionId)
    .executeTakeFirst();
}

export async function findExecutionWithAttempts(
  db: ExecutionDatabase,
  organizationId: string,
  executionId: string,
): Promise<Execution | undefined> {
  const row = await findExecution(db, organizationId, executionId);
  if (!row) return undefined;
  const kept = await db
    .selectFrom("execution_attempts")
    .select("attempts")
    .where("organization_id", "=", organizationId)
    .where("execution_id", "=", executionId)
    .executeTakeFirst();
  return { ...toSummary(row), attempts: kept ? (JSON.parse(kept.attempts) as Attempt[]) : [] };
}

export interface ExecutionFilter {
  limit: number;
  cursor?: string;
  verdict?: Verdict;
  trigger?: ExecutionRow["trigger"];
  from?: Date;
  to?: Date;
}

/** Newest first. */
export async function listExecutions(
  db: ExecutionDatabase,
  organizationId: string,
  testId: string,
  filter: ExecutionFilter,
) {
  let query = db
    .selectFrom("executions")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("test_id", "=", testId)
    .orderBy("queued_at", "desc")
    .orderBy("id", "desc")
    .limit(filter.limit + 1);
  if (filter.verdict) query = query.where("verdict", "=", filter.verdict);
  if (filter.trigger) query = query.where("trigger", "=", filter.trigger);
  if (filter.from) query = query.where("queued_at", ">=", filter.from);
  if (filter.to) query = query.where("queued_at", "<=", filter.to);
  if (filter.cursor) {
    const { queuedAt, id } = readCursor(filter.cursor);
    query = query.where(sql<boolean>`(queued_at, id) < (cast(${queuedAt} as timestamptz), cast(${id} as uuid))`);
  }
  return pageFrom(await query.execute(), filter.limit, (row) => [row.queued_at.toISOString(), row.id], toSummary);
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A cursor somebody made up must not reach a cast that fails. */
function readCursor(text: string): { queuedAt: string; id: string } {
  const [queuedAt, id] = decodeCursor(text, 2).map(String) as [string, string];
  if (uuid.test(id) && instant.test(queuedAt) && !Number.isNaN(Date.parse(queuedAt))) return { queuedAt, id };
  throw new Problem("malformed_request", "The cursor is not one this list gave out.");
}

export interface ExecutionStanding {
  id: string;
  testId: string;
  rowIndex: number | null;
  state: ExecutionRow["state"];
  verdict: Verdict | null;
}

/** Where executions stand, in the order of the ids; deleted ones are left out. */
export async function listStandings(
  db: ExecutionDatabase,
  organizationId: string,
  executionIds: string[],
): Promise<ExecutionStanding[]> {
  const rows = await db
    .selectFrom("executions")
    .select(["id", "test_id", "row_index", "state", "verdict"])
    .where("organization_id", "=", organizationId)
    .where("id", "=", sql<string>`any(${executionIds}::uuid[])`)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return executionIds.flatMap((id) => {
    const row = byId.get(id);
    if (!row) return [];
    return [{ id, testId: row.test_id, rowIndex: row.row_index, state: row.state, verdict: row.verdict }];
  });
}

/** Cancels what has not started; answers the row as it is then, or undefined when it had started. */
export async function cancelQueued(
  db: Executor<ExecutionTables>,
  organizationId: string,
  executionId: string,
  now: Date,
): Promise<ExecutionRow | undefined> {
  const row = await db
    .updateTable("executions")
    .set({ state: "cancelled", finished_at: now, fencing_token: sql`fencing_token + 1` })
    .where("organization_id", "=", organizationId)
    .where("id", "=", executionId)
    .where("state", "=", "queued")
    .returningAll()
    .executeTakeFirst();
  if (!row) return undefined;
  await db
    .updateTable("latest_executions")
    .set({
      pending: sql`pending - 1`,
      state: sql`case when pending > 1 then state when verdict is null then 'cancelled' else 'finished' end`,
      finished_at: now,
    })
    .where("organization_id", "=", organizationId)
    .where("test_id", "=", row.test_id)
    .where("run_id", "=", row.run_id)
    .execute();
  return row;
}
