import type { z } from "@hono/zod-openapi";
import type { PlannedSchedule, ReportedOccurrence } from "#contracts/test-executioner/agent-plans.ts";
import type { circleInput } from "#contracts/test-registry/circles.ts";
import { requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { passedResult, registerTestAgent } from "../../test-executioner/testing/agent.ts";
import { respondJson, startTarget } from "../../test-executioner/testing/target.ts";
import { createScheduledWorld } from "./scheduled-world.ts";

/** Seconds between two due times. */
export const period = 300;

/** Two due times of the last quarter of an hour, of a schedule each five minutes. */
export function listPastMoments(): [string, string] {
  const last = Math.floor((Date.now() / 1_000 - 360) / period) * period;
  return [new Date((last - period) * 1_000).toISOString(), new Date(last * 1_000).toISOString()];
}

/** For tests of what agents start while the portal is away: circles that are sent from a location, with their schedules. */
export async function createPlannedWorld(database: Database) {
  const scheduled = await createScheduledWorld(database, { schedule: true });
  const { world } = scheduled;
  const target = await startTarget(respondJson({}));
  const moveTo = (moment: string, seconds: number) =>
    scheduled.moveTo(new Date(Date.parse(moment) + seconds * 1_000).toISOString());
  return {
    ...{ world, scheduled, target, moveTo },
    /** An organization with a location and an agent there; the time is shortly before the first of these due times. */
    async makeLocated(name = "Berlin") {
      moveTo(listPastMoments()[0], -30);
      const tenant = await world.createTenant(target.baseUrl);
      const { id: locationId } = requireValue(await tenant.user.createLocation({ body: { name } }), "a location");
      const agent = await registerTestAgent(world, tenant, locationId);
      const registry = world.testRegistry({ token: tenant.token });
      /** A circle at the location with a schedule each five minutes. */
      const plan = async (circle: Partial<z.input<typeof circleInput>> = {}) => {
        const { id: testId } = await tenant.createTest();
        const { id } = await tenant.createCircle({ members: [{ testId }], locationId, ...circle });
        const created = await registry.createSchedule({
          params: { testCircleId: id },
          body: { timeZone: "UTC", everySeconds: period },
        });
        return { circleId: id, scheduleId: requireValue(created, "a schedule").id };
      };
      const getRun = async (runId: string) =>
        requireValue(await tenant.client.getRun({ params: { runId }, query: {} }), "run");
      /** Reports a circle's occurrence and its results. */
      const send = async (planned: PlannedSchedule, moment: string) => {
        const [outcome] = await agent.reportOccurrences([toReport(planned, moment)]);
        if (outcome!.executions.length > 0) await agent.report(toResults(planned, outcome!.executions, moment));
        return outcome!;
      };
      return { tenant, locationId, agent, registry, plan, getRun, send };
    },
    async close() {
      await world.stop();
      await world.database.close();
      await target.close();
    },
  };
}

export type PlannedWorld = Awaited<ReturnType<typeof createPlannedWorld>>;

/** What an agent reports that has run all members of a circle at its due time. */
export function toReport({ scheduleId, circle }: PlannedSchedule, scheduledFor: string): ReportedOccurrence {
  const { members } = circle!;
  return {
    ...{ scheduleId, scheduledFor, members: members.length, generated: [] },
    executions: members.map(({ test }, index) => ({
      ...{ position: index + 1, testId: test.id, testVersion: test.version },
      startedAt: new Date(Date.parse(scheduledFor) + 30_000).toISOString(),
    })),
  };
}

/** Passed results of executions that an agent has for a circle. */
export function toResults(
  { circle }: PlannedSchedule,
  executions: { position: number; executionId: string; fence: number }[],
  scheduledFor: string,
) {
  return executions.map(({ position, executionId, fence }) =>
    passedResult(
      { ...circle!.members[position - 1]!, executionId, fence },
      { finishedAt: new Date(Date.parse(scheduledFor) + 31_000).toISOString() },
    ),
  );
}
