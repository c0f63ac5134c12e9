import { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { Occurrence } from "#contracts/test-executioner/occurrences.ts";
import { connectTo, requireValue, type Transport } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { createPlans } from "../../kit/plan/plan-ledger.ts";
import { createExecutionWorld, type WorldOptions } from "../../test-executioner/testing/world.ts";
import { createCircleVariables } from "../http/circle-variables.ts";
import { createOpenCircles } from "../http/opened-circles.ts";
import { createScheduleTaker } from "../jobs/scheduler.ts";
import { schemaName, type TestTables } from "../store/tables.ts";

type World = Awaited<ReturnType<typeof createExecutionWorld>>;
type Tenant = Awaited<ReturnType<World["createTenant"]>>;
type ScheduleBody = Parameters<ReturnType<World["testRegistry"]>["createSchedule"]>[0]["body"];

/** Registry and executioner on one database, with a time that the test controls. */
export async function createScheduledWorld(database: Database, options: WorldOptions = {}) {
  let time = Date.parse("2026-06-01T06:59:30Z");
  const world = await createExecutionWorld(database, { work: false, readTime: async () => new Date(time), ...options });
  const db = database.inSchema<TestTables>(schemaName);
  const variables = createCircleVariables(world.vault);
  const readTime = async () => new Date(time);
  /** One scheduler, with its database. */
  const createTaker = (own = db, reachExecutioner?: Transport) =>
    createScheduleTaker({
      db: own,
      readTime,
      testExecutioner: reachExecutioner
        ? connectTo(testExecutionerContract, { transport: reachExecutioner })
        : world.connect,
      serviceToken: world.identities.serviceToken,
      openCircles: createOpenCircles({ db, variables, readTime }),
      plans: createPlans({ ...world, db, schema: schemaName, serviceToken: world.identities.serviceToken }),
      log: world.log,
    });
  return {
    world,
    db,
    createTaker,
    moveTo(moment: string) {
      time = Date.parse(moment);
    },
    advance(seconds: number) {
      time += seconds * 1_000;
    },
    /** One turn of a scheduler. @returns the number of schedules leased */
    takeTurn: (reachExecutioner?: Transport) => createTaker(db, reachExecutioner)(),
    /** A circle of one test with a schedule, by default every five minutes. */
    async createSchedule(tenant: Tenant, body: Partial<ScheduleBody> = {}) {
      const client = world.testRegistry({ token: tenant.token });
      const { id: testId } = await tenant.createTest();
      const circle = requireValue(
        await client.createCircle({ body: { name: "Daily", members: [{ testId }] } }),
        "circle",
      );
      const rhythm = body.everySeconds === undefined ? { cron: "*/5 * * * *" } : {};
      const created = await client.createSchedule({
        params: { testCircleId: circle.id },
        body: { timeZone: "Europe/Berlin", ...rhythm, ...body },
      });
      return requireValue(created, "schedule");
    },
    /** All of them, the earliest first. */
    async listOccurrences(tenant: Tenant, scheduleId?: string): Promise<Occurrence[]> {
      const all: Occurrence[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const query = { limit: 200, cursor, scheduleId };
        const page = requireValue(await tenant.client.listOccurrences({ query }), "occurrences");
        all.push(...page.items);
        cursor = page.nextCursor;
      }
      return all.reverse();
    },
  };
}

export type ScheduledWorld = Awaited<ReturnType<typeof createScheduledWorld>>;
