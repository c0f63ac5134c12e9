import { type Kysely, type SqlBool, sql, type Transaction } from "kysely";
import type { DueTime } from "#contracts/test-executioner/agent-plans.ts";
import { isActiveSince } from "../domain/agent-state.ts";
import type { AgentAt } from "./agent-claims.ts";
import { type ExecutionTables, table } from "./tables.ts";

type Db = Kysely<ExecutionTables>;
const agents = table("agents");
const schedules = table("agent_schedules");

/** An agent requests its plan each minute: one that has not requested it for this long holds none. */
const heldMilliseconds = 150_000;

export interface AssignedSchedule {
  scheduleId: string;
  scheduleName: string | undefined;
  version: number;
  testCircleId: string;
  moments: Date[];
}

/** Agents of the location that have called within the last minute, and the one that calls now. */
export async function listSharing(db: Db, { organizationId, locationId, agentId }: AgentAt, now: Date) {
  const { rows } = await sql<{ id: string }>`
    select id from ${agents}
    where organization_id = ${organizationId}::uuid and location_id = ${locationId}::uuid and revoked_at is null
      and (id = ${agentId}::uuid or last_seen_at >= ${isActiveSince(now)}::timestamptz)
    order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Schedules that other agents of the location may still start, since their plans have not been replaced. */
export async function listHeldByOthers(
  db: Db,
  { organizationId, locationId, agentId }: AgentAt,
  now: Date,
): Promise<Set<string>> {
  const since = new Date(now.getTime() - heldMilliseconds);
  const { rows } = await sql<{ schedule_id: string }>`
    select assigned.schedule_id from ${schedules} assigned
    join ${agents} agent on agent.id = assigned.agent_id and agent.organization_id = assigned.organization_id
    where assigned.organization_id = ${organizationId}::uuid and agent.location_id = ${locationId}::uuid
      and agent.id <> ${agentId}::uuid and agent.revoked_at is null
      and assigned.handed_at >= ${since}::timestamptz and ${now}::timestamptz < any(assigned.moments)`.execute(db);
  return new Set(rows.map(({ schedule_id }) => schedule_id));
}

const keyOf = (scheduleId: string, moment: Date) => `${scheduleId} ${moment.getTime()}`;

/**
 * Replaces what an agent may start. Of its previous assignments, it keeps the due times that it reports as held.
 * @returns ids of schedules that are not assigned to another agent of the location
 */
export async function assignSchedules(
  transaction: Transaction<ExecutionTables>,
  at: AgentAt,
  { assigned, held, now }: { assigned: readonly AssignedSchedule[]; held: readonly DueTime[]; now: Date },
): Promise<Set<string>> {
  const turn = `agent plans ${at.locationId}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${turn}, 0))`.execute(transaction);
  const others = await listHeldByOthers(transaction, at, now);
  const named = new Set(held.map(({ scheduleId, scheduledFor }) => keyOf(scheduleId, new Date(scheduledFor))));
  const before = await transaction
    .deleteFrom("agent_schedules")
    .where("organization_id", "=", at.organizationId)
    .where("agent_id", "=", at.agentId)
    .returningAll()
    .execute();
  const rows = new Map(
    assigned
      .filter(({ scheduleId }) => !others.has(scheduleId))
      .map(({ scheduleId, scheduleName, version, testCircleId, moments }) => [
        scheduleId,
        {
          ...{ organization_id: at.organizationId, agent_id: at.agentId, schedule_id: scheduleId, moments },
          ...{ schedule_version: version, schedule_name: scheduleName ?? null, test_circle_id: testCircleId },
          handed_at: now,
        },
      ]),
  );
  const allowed = new Set(rows.keys());
  for (const row of before) {
    const kept = row.moments.filter((moment) => named.has(keyOf(row.schedule_id, moment)));
    if (kept.length === 0) continue;
    const next = rows.get(row.schedule_id);
    // What it ran by an earlier version is void.
    if (next && next.schedule_version !== row.schedule_version) continue;
    rows.set(
      row.schedule_id,
      next ? { ...next, moments: mergeMoments(kept, next.moments) } : { ...row, moments: kept },
    );
  }
  if (rows.size > 0)
    await transaction
      .insertInto("agent_schedules")
      .values([...rows.values()])
      .execute();
  return allowed;
}

function mergeMoments(some: readonly Date[], others: readonly Date[]): Date[] {
  const times = new Set([...some, ...others].map((moment) => moment.getTime()));
  return [...times].sort((one, other) => one - other).map((time) => new Date(time));
}

/** The assignment of a due time to an agent, if it has one. */
export async function findAssigned(
  db: Db,
  { organizationId, agentId }: AgentAt,
  { scheduleId, scheduledFor }: DueTime,
): Promise<Omit<AssignedSchedule, "moments"> | undefined> {
  const row = await db
    .selectFrom("agent_schedules")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("agent_id", "=", agentId)
    .where("schedule_id", "=", scheduleId)
    .where(sql<SqlBool>`${new Date(scheduledFor)}::timestamptz = any(moments)`)
    .executeTakeFirst();
  return (
    row && {
      ...{ scheduleId, scheduleName: row.schedule_name ?? undefined },
      ...{ version: row.schedule_version, testCircleId: row.test_circle_id },
    }
  );
}

/** Whether an agent may have started a due time and not have reported it yet; arguments are columns. */
export const mayBeReported = (scheduleId: ReturnType<typeof sql>, scheduledFor: ReturnType<typeof sql>) => sql<SqlBool>`
  exists (
    select from ${schedules} assigned
    join ${agents} agent on agent.id = assigned.agent_id and agent.organization_id = assigned.organization_id
    where assigned.schedule_id = ${scheduleId} and ${scheduledFor} = any(assigned.moments) and agent.revoked_at is null
  )`;

/** Which of these due times an agent may have started and not have reported yet, by `keyOf`. */
export async function listAwaited(
  transaction: Transaction<ExecutionTables>,
  times: readonly { scheduleId: string; scheduledFor: Date }[],
): Promise<Set<string>> {
  if (times.length === 0) return new Set();
  const { rows } = await sql<{ schedule_id: string }>`
    select due.schedule_id from unnest(
      ${times.map(({ scheduleId }) => scheduleId)}::uuid[],
      ${times.map(({ scheduledFor }) => scheduledFor)}::timestamptz[]
    ) as due(schedule_id, scheduled_for)
    where ${mayBeReported(sql.ref("due.schedule_id"), sql.ref("due.scheduled_for"))}`.execute(transaction);
  return new Set(rows.map(({ schedule_id }) => schedule_id));
}
