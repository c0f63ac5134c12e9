import { sql } from "kysely";
import {
  type OccurrenceCounts,
  type OccurrenceRun,
  type OccurrenceState,
  occurrenceState,
} from "#contracts/test-executioner/occurrences.ts";
import type { ExecutionState, Verdict } from "#contracts/test-executioner/verdicts.ts";
import { failureVerdicts } from "../domain/verdict.ts";
import { type ExecutionDatabase, table } from "./tables.ts";

/** The occurrences of a schedule on a day. */
export interface OccurrenceDay extends OccurrenceCounts {
  schedule_id: string;
  /** Index of the day. */
  day: number;
}

interface DaysOfSchedules {
  organizationId: string;
  /** The first instant of each day, and the end of the last. */
  days: Date[];
}

/** Number of occurrences by outcome, schedule and day. */
export async function countOccurrences(
  db: ExecutionDatabase,
  { organizationId, scheduleIds, days }: DaysOfSchedules & { scheduleIds: string[] },
): Promise<OccurrenceDay[]> {
  const ofState = (state: OccurrenceState) =>
    sql`coalesce(sum(times) filter (where state = ${state}), 0)::int as ${sql.id(state)}`;
  const { rows } = await sql<OccurrenceDay>`
    select schedule_id, width_bucket(scheduled_for, ${days}::timestamptz[]) - 1 as day,
      ${sql.join(occurrenceState.options.map(ofState))}
    from ${table("occurrences")}
    where organization_id = ${organizationId}::uuid and schedule_id = any(${scheduleIds}::uuid[])
      and scheduled_for >= ${days[0]}::timestamptz and scheduled_for < ${days.at(-1)}::timestamptz
    group by 1, 2 order by 1, 2`.execute(db);
  return rows;
}

interface RunRow {
  position: string;
  id: string;
  scheduled_for: Date;
  state: ExecutionState;
  verdict: Verdict | null;
}

/**
 * At most `limit` runs of each of these: failed ones first, then the latest. Reads the ends of index ranges, however
 * many runs there are: a schedule's occurrences by time, and a circle's failed runs by verdict and id. Runs of a schedule
 * have ids in the order of its times.
 * @returns for each, in order of time
 */
export async function listRunsOfDays(
  db: ExecutionDatabase,
  occurrenceDays: readonly OccurrenceDay[],
  { organizationId, days, limit }: DaysOfSchedules & { limit: number },
): Promise<OccurrenceRun[][]> {
  const withRuns = occurrenceDays.filter(({ started }) => limit > 0 && started > 0);
  if (withRuns.length === 0) return occurrenceDays.map(() => []);
  const ofDay = sql`occurrence.organization_id = ${organizationId}::uuid and occurrence.schedule_id = given.schedule_id
    and occurrence.scheduled_for >= given.since and occurrence.scheduled_for < given.until
    and occurrence.run_id is not null`;
  const end = (direction: "asc" | "desc") => sql`
    (select occurrence.run_id, occurrence.test_circle_id from ${table("occurrences")} occurrence
    where ${ofDay} order by occurrence.scheduled_for ${sql.raw(direction)} limit 1)`;
  const failures = failureVerdicts.map(
    (verdict) => sql`
      (select failed.id from ${table("runs")} failed
      where failed.organization_id = ${organizationId}::uuid and failed.test_circle_id = first.test_circle_id
        and failed.verdict = ${verdict} and failed.finished_at is not null
        and failed.id between first.run_id and last.run_id and failed.starter_id = given.schedule_id
      order by failed.id desc limit ${limit})`,
  );
  const { rows } = await sql<RunRow>`
    select given.position, run.id, picked.scheduled_for, run.state,
      case when run.finished_at is not null then run.verdict end as verdict
    from unnest(
      ${withRuns.map(({ schedule_id }) => schedule_id)}::uuid[],
      ${withRuns.map(({ day }) => days[day]!)}::timestamptz[], ${withRuns.map(({ day }) => days[day + 1]!)}::timestamptz[]
    ) with ordinality as given(schedule_id, since, until, position)
    cross join lateral ${end("asc")} first
    cross join lateral ${end("desc")} last
    cross join lateral (
      (select true as is_failure, occurrence.scheduled_for, occurrence.run_id
      from (${sql.join(failures, sql` union all `)}) failure
      join ${table("occurrences")} occurrence on occurrence.run_id = failure.id and ${ofDay}
      order by occurrence.scheduled_for desc limit ${limit})
      union all
      (select false, occurrence.scheduled_for, occurrence.run_id from ${table("occurrences")} occurrence
      where ${ofDay} order by occurrence.scheduled_for desc limit ${limit})
    ) picked
    join ${table("runs")} run on run.id = picked.run_id and run.organization_id = ${organizationId}::uuid
    order by given.position, picked.is_failure desc, picked.scheduled_for desc`.execute(db);
  const picked = new Map(withRuns.map((day) => [day, new Map<string, OccurrenceRun>()]));
  for (const { position, id, scheduled_for, state, verdict } of rows) {
    const runs = picked.get(withRuns[Number(position) - 1]!)!;
    // A failed run among the latest is in both.
    if (runs.size < limit) runs.set(id, { id, scheduledFor: scheduled_for.toISOString(), state, verdict });
  }
  return occurrenceDays.map((day) =>
    [...(picked.get(day)?.values() ?? [])].sort((one, other) => (one.scheduledFor < other.scheduledFor ? -1 : 1)),
  );
}
