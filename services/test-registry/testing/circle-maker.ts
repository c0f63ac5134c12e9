import type { TestInput } from "#contracts/test-registry/tests.ts";
import { requireValue } from "../../kit/client/client.ts";
import type { createTestRegistryWorld } from "./world.ts";

export type World = Awaited<ReturnType<typeof createTestRegistryWorld>>;
export type Tenant = ReturnType<World["createTenant"]>;
type CircleBody = Parameters<Tenant["client"]["createCircle"]>[0]["body"];

/** Creates tests and circles of them, and reads circles as their owner and as a service. */
export function createCircleMaker(world: () => World) {
  return {
    async createTest(tenant: Tenant, name: string, changes: Partial<TestInput> = {}, apiId = tenant.apiId) {
      const checks = ["not_a_server_error" as const];
      const body = { name, method: "get", path: "/pets", request: {}, checks, ...changes };
      return requireValue(await tenant.client.createTest({ params: { apiId }, body }), "create").id;
    },
    async create(tenant: Tenant, body: Partial<CircleBody> & Pick<CircleBody, "members">) {
      return requireValue(await tenant.client.createCircle({ body: { name: "Daily", ...body } }), "create a circle");
    },
    get: async (tenant: Tenant, testCircleId: string) =>
      requireValue(await tenant.client.getCircle({ params: { testCircleId } }), "get"),
    async open(tenant: Tenant, testCircleId: string) {
      const token = await world().identities.serviceToken(tenant.organizationId);
      const items = [{ organizationId: tenant.organizationId, testCircleId }];
      return requireValue(await world().connect({ token }).openCircles({ body: { items } }), "open").items[0]!;
    },
  };
}
