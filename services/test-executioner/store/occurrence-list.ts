import { type SqlBool, sql } from "kysely";
import type { Occurrence, OccurrenceState } from "#contracts/test-executioner/occurrences.ts";
import type { ExecutionState, Verdict } from "#contracts/test-executioner/verdicts.ts";
import { pageFrom, readMomentCursor } from "../../kit/database/keyset.ts";
import type { OccurrenceTables } from "./occurrence-tables.ts";
import { type ExecutionDatabase, table } from "./tables.ts";

export interface OccurrenceFilter {
  scheduleId?: string;
  testCircleId?: string;
  state?: OccurrenceState;
  from?: Date;
  to?: Date;
  limit: number;
  cursor?: string;
}

type Row = OccurrenceTables["occurrences"] & { run_state: ExecutionState | null; verdict: Verdict | null };

function toOccurrence(row: Row): Occurrence {
  return {
    scheduleId: row.schedule_id,
    testCircleId: row.test_circle_id,
    scheduledFor: row.scheduled_for.toISOString(),
    state: row.state,
    isLate: row.is_late,
    reason: row.reason,
    times: row.times,
    // Runs are retained no longer than occurrences.
    run: row.run_id && row.run_state ? { id: row.run_id, state: row.run_state, verdict: row.verdict } : null,
    recordedAt: row.recorded_at.toISOString(),
  };
}

/** Newest first. */
export async function listOccurrences(db: ExecutionDatabase, organizationId: string, filter: OccurrenceFilter) {
  const { scheduleId, testCircleId, state, from, to, limit, cursor } = filter;
  const conditions = [sql<SqlBool>`occurrence.organization_id = ${organizationId}::uuid`];
  if (scheduleId) conditions.push(sql`occurrence.schedule_id = ${scheduleId}::uuid`);
  if (testCircleId) conditions.push(sql`occurrence.test_circle_id = ${testCircleId}::uuid`);
  if (state) conditions.push(sql`occurrence.state = ${state}`);
  if (from) conditions.push(sql`occurrence.scheduled_for >= ${from}::timestamptz`);
  if (to) conditions.push(sql`occurrence.scheduled_for < ${to}::timestamptz`);
  if (cursor !== undefined) {
    const { moment, id } = readMomentCursor(cursor);
    conditions.push(sql`(occurrence.scheduled_for, occurrence.id) < (${moment}::timestamptz, ${id}::uuid)`);
  }
  const { rows } = await sql<Row>`
    select occurrence.*, run.state as run_state, case when run.finished_at is not null then run.verdict end as verdict
    from ${table("occurrences")} occurrence
    left join ${table("runs")} run on run.id = occurrence.run_id and run.organization_id = occurrence.organization_id
    where ${sql.join(conditions, sql` and `)}
    order by occurrence.scheduled_for desc, occurrence.id desc limit ${limit + 1}`.execute(db);
  return pageFrom(rows, limit, (row) => [row.scheduled_for.toISOString(), row.id], toOccurrence);
}
