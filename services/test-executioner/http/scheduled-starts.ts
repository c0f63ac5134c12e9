import type { Logger } from "pino";
import { Problem, type ProblemCode } from "#contracts/kit/problem.ts";
import type { OpenedCircle } from "#contracts/test-registry/circles.ts";
import { databaseProblem } from "../../kit/database/database-problem.ts";
import type { Plans } from "../../kit/plan/plan-ledger.ts";
import type { Prepared } from "../store/occurrences.ts";
import { askOnce } from "./asking-together.ts";
import { type CircleParts, resolveCircle } from "./circle-source.ts";
import { createPrepareRun } from "./preparing.ts";
import { planSource } from "./starting-sources.ts";

/** A circle of an organization at a due time. */
export interface ScheduledStart {
  organizationId: string;
  testCircleId: string;
  scheduleId: string;
  scheduleName?: string;
  start?: { circle?: OpenedCircle };
  /** If an agent started it while the portal was away. */
  late?: { agentId: string; dueAt: Date };
}

/** Undefined when something it needs is unavailable: it may be retried. */
export type PrepareScheduled = (start: ScheduledStart, requestId: string) => Promise<Prepared | undefined>;

/** Temporary problems: a service or the database is unavailable, or the circle is being changed. */
const passing = new Set<ProblemCode>(["service_unavailable", "insufficient_storage", "too_many_requests", "conflict"]);

/**
 * Returns a function that reads a circle in its current state, so that its run can be stored. For starts that are
 * prepared together: shared data is requested once.
 */
export function createPrepareScheduled(
  parts: CircleParts & Parameters<typeof createPrepareRun>[0] & { plans: Plans; log: Logger },
): PrepareScheduled {
  const requireApi = askOnce(parts.requireApi, ({ organizationId }, apiId) => `${organizationId} ${apiId}`);
  const requirePlan = askOnce(parts.plans.require, (organizationId) => organizationId);
  const prepareRun = createPrepareRun({ ...parts, requireApi });
  return async ({ organizationId, testCircleId, scheduleId, scheduleName, start, late }, requestId) => {
    try {
      await requirePlan(organizationId, requestId);
      const resolved = await resolveCircle(parts, { organizationId, requestId }, testCircleId, start?.circle);
      if (resolved.maintenance) return { skipped: resolved.maintenance };
      const planned = planSource(resolved, {
        ...{ organizationId, requestId, variables: {} },
        ...{ trigger: "schedule", order: "sequential", stopOnFailure: false },
        startedBy: { kind: "schedule", scheduleId, name: scheduleName ?? null },
        chooseEnvironment: (apiId) => ({ environment: undefined, path: `environments.${apiId}` }),
      });
      return { run: await prepareRun({ ...planned, late }) };
    } catch (error) {
      const problem = error instanceof Problem ? error : databaseProblem(error);
      if (!problem) parts.log.error({ err: error, testCircleId }, "a scheduled circle could not be read");
      if (problem && passing.has(problem.code)) return undefined;
      const said = problem?.extras.errors?.[0]?.message ?? problem?.detail ?? "Something went wrong on our side.";
      return { failure: `It could not be started: ${said}` };
    }
  };
}
