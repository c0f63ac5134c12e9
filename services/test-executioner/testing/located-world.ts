import { requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { registerTestAgent } from "./agent.ts";
import { createRunWorld, type StartBody, type Tenant } from "./run-world.ts";
import type { WorldOptions } from "./world.ts";

/** For tests of agents: organizations with a location, an agent there, and a test. */
export async function createLocatedWorld(database: Database, options: Pick<WorldOptions, "offers"> = {}) {
  const runs = await createRunWorld(database, {
    ...options,
    environmentSecrets: { prefix: "ASSURANCE_SECRET_", find: () => undefined },
  });
  const { world, target, get, begin } = runs;
  return {
    ...runs,
    async makeLocated(name = "Berlin") {
      const tenant = await world.createTenant(target.baseUrl);
      const { id: locationId } = requireValue(await tenant.user.createLocation({ body: { name } }), "a location");
      const agent = await registerTestAgent(world, tenant, locationId);
      const { id: testId } = await tenant.createTest();
      const start = async (source: object = { tests: [testId] }, body = {}) =>
        (await begin(tenant, { source, locationId, ...body } as StartBody)).id;
      return { tenant, locationId, agent, testId, start };
    },
    listMembers: async (tenant: Tenant, runId: string) => (await get(tenant, runId)).members.items,
  };
}
