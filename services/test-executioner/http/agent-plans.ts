import { Problem } from "#contracts/kit/problem.ts";
import { agentLeaseSeconds } from "#contracts/test-executioner/agent-limits.ts";
import type { DueTime, OccurrenceOutcome, ReportedOccurrence } from "#contracts/test-executioner/agent-plans.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { explainVersion } from "../domain/agent-version.ts";
import { type PlanningParts, planForAgent } from "../jobs/agent-plans.ts";
import type { AgentAt } from "../store/agent-claims.ts";
import { type AssignedSchedule, assignSchedules, findAssigned } from "../store/agent-schedules.ts";
import { markRunsStarted } from "../store/claims.ts";
import { adoptOccurrence, claimReported } from "../store/late-occurrences.ts";
import { retryDeadlock } from "../store/retry-deadlock.ts";
import { readMoment } from "./moments.ts";
import type { PrepareScheduled } from "./scheduled-starts.ts";

type PlanHandlers = Pick<Handlers<typeof testExecutionerContract>, "takeAgentPlan" | "reportAgentOccurrences">;

export interface AgentPlanParts extends PlanningParts {
  version: string;
  startPreparing(): PrepareScheduled;
}

/** What agents start while the portal is away, and what they started. */
export function createAgentPlanHandlers(parts: AgentPlanParts): PlanHandlers {
  const { db, version, handing } = parts;
  const { clock } = handing;

  async function record(
    at: AgentAt,
    reported: ReportedOccurrence,
    assigned: Omit<AssignedSchedule, "moments">,
    start: { prepareScheduled: PrepareScheduled; requestId: string },
  ): Promise<Omit<OccurrenceOutcome, keyof DueTime>> {
    const { organizationId, agentId } = at;
    const generated = new Map(reported.generated.map(({ name, value }) => [name, value]));
    const late = { agentId, dueAt: new Date(reported.scheduledFor), generated };
    const prepared = await start.prepareScheduled({ ...assigned, organizationId, late }, start.requestId);
    if (!prepared) return { outcome: "later", executions: [] };
    return await retryDeadlock(() =>
      db.transaction().execute(async (transaction) => {
        const now = clock.now();
        const adopted = await adoptOccurrence(transaction, { at, assigned, reported, prepared }, now);
        if (adopted.outcome === "refused") return { ...adopted, executions: [] };
        const lease = { leaseSeconds: agentLeaseSeconds, now };
        const executions = await claimReported(transaction, at, adopted.runId, reported, lease);
        const startedAt = Math.min(...reported.executions.map((one) => Date.parse(one.startedAt)));
        const bounded = new Date(Math.min(Math.max(startedAt, late.dueAt.getTime()), now.getTime()));
        if (executions.length > 0) await markRunsStarted(transaction, [adopted.runId], bounded);
        return { outcome: "recorded", executions };
      }),
    );
  }

  return {
    async takeAgentPlan({ caller, body, requestId }) {
      const refusal = explainVersion(body.version, version);
      if (refusal) throw new Problem("conflict", refusal);
      const at = toAt(caller);
      const known = new Map(body.known.map(({ scheduleId, tag }) => [scheduleId, tag]));
      const { sealingKey } = caller.agent!;
      const { readsVault, runsAll } = body;
      const plan = await planForAgent(parts, { at, known, requestId, sealingKey, readsVault, runsAll });
      const assigned = plan.schedules.map(
        ({ upcoming: { scheduleId, scheduleName, version, testCircleId, moments } }) => ({
          ...{ scheduleId, scheduleName, version, testCircleId },
          moments: moments.map((moment) => new Date(moment)),
        }),
      );
      const held = body.held.map(readDueTime);
      const allowed = await db
        .transaction()
        .execute((transaction) => assignSchedules(transaction, at, { assigned, held, now: clock.now() }));
      const schedules = plan.schedules.flatMap(({ planned }) => (allowed.has(planned.scheduleId) ? [planned] : []));
      return { schedules, operations: plan.operations, leftOut: plan.leftOut };
    },

    async reportAgentOccurrences({ caller, body, requestId, log }) {
      const at = toAt(caller);
      const start = { prepareScheduled: parts.startPreparing(), requestId };
      const items: OccurrenceOutcome[] = [];
      for (const item of body.items) {
        const reported = { ...item, ...readDueTime(item) };
        const dueTime = { scheduleId: item.scheduleId, scheduledFor: item.scheduledFor };
        const assigned = await findAssigned(db, at, reported);
        const reason = explainRefusal(assigned, reported, clock.now());
        const outcome =
          assigned && reason === undefined
            ? await record(at, reported, assigned, start)
            : { outcome: "refused" as const, reason, executions: [] };
        if (outcome.outcome === "refused")
          log.info({ agentId: at.agentId, ...dueTime, reason: outcome.reason }, "an agent's occurrence was refused");
        items.push({ ...dueTime, ...outcome });
      }
      return { items };
    },
  };
}

const toAt = ({ organizationId, userId, agent }: Identity): AgentAt => ({
  ...{ organizationId, agentId: userId, locationId: agent!.locationId },
});

/** @throws Problem invalid_input */
function readDueTime({ scheduleId, scheduledFor }: DueTime): DueTime {
  return { scheduleId, scheduledFor: readMoment("scheduledFor", scheduledFor)!.toISOString() };
}

/** An agent's report never creates a run of a due time that was not assigned to it. */
function explainRefusal(assigned: object | undefined, { scheduledFor }: DueTime, now: Date): string | undefined {
  if (!assigned) return "It is not assigned to this agent.";
  if (Date.parse(scheduledFor) > now.getTime()) return "It is not due yet.";
  return undefined;
}
