import { uuidv7 } from "uuidv7";
import { requireValue } from "../../kit/client/client.ts";
import { noOrganization } from "../../kit/organization/no-organization.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { respondJson, startTarget } from "./target.ts";
import { createExecutionWorld, type ExecutionWorld } from "./world.ts";

type Client = ReturnType<ExecutionWorld["connect"]>;
type Item = Parameters<Client["recordOccurrences"]>[0]["body"]["items"][number];
export type Tenant = Awaited<ReturnType<ExecutionWorld["createTenant"]>>;

/** A circle with one test. */
export async function createCircle(world: ExecutionWorld, tenant: Tenant, name = "Daily"): Promise<string> {
  const { id: testId } = await tenant.createTest();
  const client = world.testRegistry({ token: tenant.token });
  return requireValue(await client.createCircle({ body: { name, members: [{ testId }] } }), "create a circle").id;
}

/** A due time as a scheduler reports it. */
export function occurring(
  tenant: Tenant,
  testCircleId: string,
  scheduledFor: string,
  changes: Partial<Omit<Item, "start">> & { start?: Partial<NonNullable<Item["start"]>> } = {},
): Item {
  return {
    ...{ organizationId: tenant.organizationId, scheduleId: uuidv7(), version: 1, testCircleId, overlap: "skip" },
    missed: [],
    ...changes,
    start: { scheduledFor, isLate: false, ...changes.start },
  };
}

/** A client of the executioner as the scheduler has it. */
export async function connectAsScheduler(world: ExecutionWorld) {
  const client = world.connect({ token: await world.identities.serviceToken(noOrganization) });
  return {
    async record(...items: Item[]) {
      const recorded = requireValue(await client.recordOccurrences({ body: { items } }), "record");
      return recorded.items.map(({ outcome }) => outcome);
    },
    async fence(scheduleId: string, version: number) {
      requireValue(await client.fenceSchedules({ body: { schedules: [{ scheduleId, version }] } }), "fence");
    },
  };
}

export async function listOccurrences(tenant: Tenant, query: object = {}) {
  return requireValue(await tenant.client.listOccurrences({ query }), "list").items;
}

/** A process that also starts what is due, its scheduler's client, and tenants with one circle each. */
export async function openOccurringWorld() {
  const target = await startTarget(respondJson({}));
  const [engine] = testEngines();
  const world = await createExecutionWorld(await engine.open(), { schedule: true });
  return {
    ...world,
    target,
    scheduler: await connectAsScheduler(world),
    async createTenant() {
      const tenant = await world.createTenant(target.baseUrl);
      return { tenant, circle: await createCircle(world, tenant) };
    },
    async close() {
      await world.stop();
      await world.database.close();
      await target.close();
    },
  };
}

export type OccurringWorld = Awaited<ReturnType<typeof openOccurringWorld>>;
