import { type Kysely, sql, type Transaction } from "kysely";
import type { ReportedOccurrence } from "#contracts/test-executioner/agent-plans.ts";
import { handsOn } from "../domain/handing-on.ts";
import type { AgentAt } from "./agent-claims.ts";
import type { AssignedSchedule } from "./agent-schedules.ts";
import { listDeleted } from "./deleted-tests.ts";
import { listFull } from "./full-plans.ts";
import { overlapReasons, type Prepared, QuotaTaken, toRow } from "./occurrences.ts";
import { reserve } from "./plan-quota.ts";
import { insertRuns, type NewRun, toWanted } from "./runs.ts";
import { listUnfenced } from "./schedule-fences.ts";
import { type ExecutionTables, table } from "./tables.ts";
import { holdBusyCircles } from "./unfinished-run.ts";

/** An occurrence that an agent started, and the run that it becomes. */
export interface LateOccurrence {
  at: AgentAt;
  assigned: Omit<AssignedSchedule, "moments">;
  reported: ReportedOccurrence;
  prepared: Prepared;
}

export type Adopted = { outcome: "recorded"; runId: string } | { outcome: "refused"; reason: string };

const refused = (reason: string): Adopted => ({ outcome: "refused", reason });

/**
 * Creates the run of an occurrence that an agent started while the portal was away, unless it has one: once, however often
 * it is reported, and whatever the scheduler has recorded of that time meanwhile.
 */
export async function adoptOccurrence(
  transaction: Transaction<ExecutionTables>,
  { at, assigned, reported, prepared }: LateOccurrence,
  now: Date,
): Promise<Adopted> {
  const { organizationId } = at;
  const { scheduleId, testCircleId } = assigned;
  const scheduledFor = new Date(reported.scheduledFor);
  if ((await listUnfenced(transaction, [assigned])).size === 0)
    return refused("Its schedule was changed, paused or deleted in the meantime.");
  await holdBusyCircles(transaction, [{ organizationId, testCircleId }]);
  const known = await transaction
    .selectFrom("occurrences")
    .select(["id", "state", "reason", "run_id"])
    .where("organization_id", "=", organizationId)
    .where("schedule_id", "=", scheduleId)
    .where("scheduled_for", "=", scheduledFor)
    .forUpdate()
    .executeTakeFirst();
  if (known?.state === "started") {
    const reason = await explainStarted(transaction, { at, reported, prepared }, known.run_id);
    return reason === undefined ? { outcome: "recorded", runId: known.run_id! } : refused(reason);
  }
  const mayStart =
    known?.state === "missed" || known?.state === "waiting" || overlapReasons.includes(known?.reason ?? "");
  if (known && !mayStart) return refused(known.reason ?? "It was recorded without a run.");
  if (!("run" in prepared)) return refused("failure" in prepared ? prepared.failure : prepared.skipped);
  const { run } = prepared;
  const reason = (await explainOther(transaction, { at, reported, run })) ?? (await storeRun(transaction, run));
  if (reason !== undefined) return refused(reason);
  const row = { state: "started" as const, is_late: true, reason: null, run_id: run.id };
  if (known) await transaction.updateTable("occurrences").set(row).where("id", "=", known.id).execute();
  else {
    const values = { ...toRow({ ...assigned, organizationId }, now), ...row, scheduled_for: scheduledFor };
    await transaction.insertInto("occurrences").values(values).execute();
  }
  return { outcome: "recorded", runId: run.id };
}

/**
 * Why an agent's results do not answer a run that exists. One that the portal started continues with its own values and with
 * what its own members made; the agent has removed what it made itself.
 */
async function explainStarted(
  transaction: Transaction<ExecutionTables>,
  { at, reported, prepared }: Pick<LateOccurrence, "at" | "reported" | "prepared">,
  runId: string | null,
): Promise<string | undefined> {
  const run = await transaction
    .selectFrom("runs")
    .select("late_agent_id")
    .where("organization_id", "=", at.organizationId)
    .where("id", "=", runId)
    .executeTakeFirst();
  if (!run) return "Its run was deleted.";
  const hasOwnValues = reported.generated.length > 0 || ("run" in prepared && isDependent(prepared.run));
  return run.late_agent_id === null && hasOwnValues ? "The portal started this run itself." : undefined;
}

/** Whether members may use what others of the run made. */
const isDependent = ({ executions, ...run }: NewRun) =>
  executions.length > 1 && executions.some(({ phase }) => handsOn(run, phase));

/** Why the run would not be what the agent ran. */
async function explainOther(
  transaction: Transaction<ExecutionTables>,
  { at, reported, run }: { at: AgentAt; reported: ReportedOccurrence; run: NewRun },
): Promise<string | undefined> {
  const isSame = reported.executions.every(({ position, testId, testVersion }) => {
    const member = run.executions[position - 1];
    return member?.test.id === testId && member.test.version === testVersion;
  });
  if (!isSame || run.executions.length !== reported.members)
    return "Its circle or one of its tests was changed in the meantime.";
  if (run.executions.some(({ locationId }) => locationId !== at.locationId))
    return "Its circle is sent from elsewhere by now.";
  if ((await listDeleted(transaction, [run])).length > 0) return "One of its tests was deleted in the meantime.";
}

/** @returns why it was not stored */
async function storeRun(transaction: Transaction<ExecutionTables>, run: NewRun): Promise<string | undefined> {
  const full = (await listFull(transaction, [run])).get(run.id);
  if (full !== undefined) return full;
  await insertRuns(transaction, [run]);
  if (!(await reserve(transaction, [toWanted(run)]))) throw new QuotaTaken();
}

/**
 * Claims the executions of a run that its agent has results for, released or not: those that wait, or that it holds
 * already. A repeated report changes no fence.
 */
export async function claimReported(
  db: Kysely<ExecutionTables>,
  at: AgentAt,
  runId: string,
  { executions, scheduledFor }: ReportedOccurrence,
  { leaseSeconds, now }: { leaseSeconds: number; now: Date },
): Promise<{ position: number; executionId: string; fence: number }[]> {
  const earliest = new Date(scheduledFor);
  const { rows } = await sql<{ position: number; id: string; fencing_token: number }>`
    with next as materialized (
      select execution.id, execution.state = 'running' as is_held, given.started_at
      from ${table("unfinished_executions")} execution
      join unnest(
        ${executions.map(({ position }) => position)}::int[], ${executions.map(({ testId }) => testId)}::uuid[],
        ${executions.map(({ testVersion }) => testVersion)}::int[],
        ${executions.map(({ startedAt }) => new Date(startedAt))}::timestamptz[]
      ) as given(position, test_id, test_version, started_at)
        on given.position = execution.position and given.test_id = execution.test_id
          and given.test_version = execution.test_version
      where execution.organization_id = ${at.organizationId}::uuid and execution.location_id = ${at.locationId}::uuid
        and execution.run_id = ${runId}::uuid
        and (execution.state = 'queued' or execution.agent_id = ${at.agentId}::uuid)
        and exists (select from ${table("agents")} where id = ${at.agentId}::uuid and revoked_at is null)
      order by execution.id for update of execution
    )
    update ${table("unfinished_executions")} execution
    set state = 'running', is_released = true, agent_id = ${at.agentId}::uuid,
      fencing_token = execution.fencing_token + (not next.is_held)::int,
      claims = execution.claims + (not next.is_held)::int,
      leased_until = now() + make_interval(secs => ${leaseSeconds}::float8),
      started_at = coalesce(execution.started_at,
        least(greatest(next.started_at, ${earliest}::timestamptz), ${now}::timestamptz))
    from next where execution.id = next.id
    returning execution.position, execution.id, execution.fencing_token`.execute(db);
  return rows.map(({ position, id, fencing_token }) => ({ position, executionId: id, fence: fencing_token }));
}
