import { pino } from "pino";
import { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { CodeObject } from "#contracts/code/objects.ts";
import type { CodeInput } from "#contracts/code/plans.ts";
import type { Scope } from "#contracts/kit/endpoint.ts";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { CodeApplication, PulledItem } from "#contracts/test-registry/code.ts";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { createApiRegistry } from "../../api-registry/service.ts";
import { connectToPortalWithPlan, tableEgress } from "../../api-registry/testing/registry.ts";
import { type Client, connectTo, requireValue } from "../../kit/client/client.ts";
import { movableClock } from "../../kit/clock/clock.ts";
import type { RunningService } from "../../kit/service/running-service.ts";
import type { TestEngine } from "../../kit/testing/databases.ts";
import { createTestIdentities } from "../../kit/testing/identities.ts";
import { noLimits } from "../../kit/testing/plans.ts";
import { createVault } from "../../kit/vault/vault.ts";
import { createTestAnalyzer } from "../../test-analyzer/service.ts";
import { createSurroundings } from "../../test-analyzer/testing/surroundings.ts";
import { createTestRegistry, type TestRegistryOptions } from "../service.ts";

const secretsKey = "a key for tests";
const credential = { id: "0198c1f4-7a3e-7c41-9d55-3f0a6b2c8e10", name: "Shop key", domain: "api.example.com" };
const member = { id: "0198c1f4-7a3e-7c41-9d55-3f0a6b2c8e11", username: "ada" };

/** Every organization has one credential and one member. */
const securityService = connectTo(securityServiceContract, {
  transport: ({ url }) => {
    const { pathname } = new URL(url);
    if (pathname.endsWith("/credentials")) return Response.json({ items: [credential], nextCursor: null });
    if (pathname.endsWith("/users")) return Response.json({ items: [member], nextCursor: null });
    return Response.json({});
  },
});

type Clients = {
  registry: Client<typeof testRegistryContract>;
  apis: Client<typeof apiRegistryContract>;
  analyzer: Client<typeof testAnalyzerContract>;
};

export type CodeTenant = Awaited<ReturnType<Awaited<ReturnType<typeof createCodeWorld>>["createTenant"]>>;

/** The three services that own objects of files, on one database of their own. */
export async function createCodeWorld(
  engine: TestEngine,
  options: Partial<Pick<TestRegistryOptions, "beforeCodeStep" | "consumers">> & { planStatus?: typeof noLimits } = {},
) {
  const database = await engine.open();
  const identities = createTestIdentities();
  const locations: { id: string; name: string }[] = [];
  /** It knows locations, and accepts everything else. */
  const answerAsExecutioner = (request: Request) =>
    new URL(request.url).pathname.endsWith("/locations")
      ? Response.json({ items: locations.map(toLocation), nextCursor: null })
      : new Response(null, { status: 204 });
  const clock = movableClock("2026-03-01T12:00:00Z");
  const log = pino({ level: "silent" });
  const services = new Map<string, RunningService>();
  const reach = (name: string) => async (request: Request) => await services.get(name)!.app.fetch(request);
  const apiRegistry = connectTo(apiRegistryContract, { transport: reach("api-registry") });
  const testRegistry = connectTo(testRegistryContract, { transport: reach("test-registry") });
  const testAnalyzer = connectTo(testAnalyzerContract, { transport: reach("test-analyzer") });
  const testExecutioner = connectTo(testExecutionerContract, { transport: answerAsExecutioner });
  const portalService = connectToPortalWithPlan(() => options.planStatus ?? noLimits);
  const { authenticate, serviceToken } = identities;
  const shared = { database, authenticate, serviceToken, log, clock, version: "1.2.3", work: true, consumers: [] };
  const clients = { apiRegistry, testRegistry, testAnalyzer, testExecutioner, portalService, securityService };
  const surroundings = await createSurroundings(database, log);
  services.set(
    "api-registry",
    await createApiRegistry({ ...shared, ...clients, egress: tableEgress(), vault: createVault(secretsKey) }),
  );
  const openTestRegistry = (more: Partial<TestRegistryOptions> = {}) =>
    createTestRegistry({
      ...{ ...shared, ...clients, schedule: false, vault: createVault(secretsKey) },
      ...{ readTime: async () => clock.now(), ...options, ...more },
    });
  services.set("test-registry", await openTestRegistry());
  services.set("test-analyzer", await createTestAnalyzer({ ...shared, ...surroundings, ...clients, secretsKey }));

  async function stage(apis: Clients["apis"], document: string): Promise<string> {
    const result = await apis.inspectDocument({ query: { keep: "true" }, body: { document } });
    return requireValue(result, "inspection").staged!.id;
  }

  return {
    clock,
    locations,
    database,
    services,
    credential,
    /** Another process of the same service takes over. */
    async restartTestRegistry(more: Partial<TestRegistryOptions> = {}) {
      await services.get("test-registry")!.stop();
      services.set("test-registry", await openTestRegistry(more));
    },
    /** An organization with clients in the name of a caller. */
    createTenant(caller: { organizationId?: string; scopes?: Scope[] } = {}) {
      const { token, organizationId } = identities.tokenFor(caller);
      const registry = testRegistry({ token });
      const apis = apiRegistry({ token });
      const analyzer = testAnalyzer({ token });
      async function pull(query: { api?: string; limit?: number; drifted?: "true" } = {}): Promise<PulledItem[]> {
        const items: PulledItem[] = [];
        for (let cursor: string | undefined; ; ) {
          const page = requireValue(await registry.pullCode({ query: { limit: 100, ...query, cursor } }), "pull");
          items.push(...page.items);
          if (page.nextCursor === null) return items;
          cursor = page.nextCursor;
        }
      }

      const plan = async (body: Input) => requireValue(await registry.planCode({ body: body as never }), "plan");

      async function start(body: Application, key?: string) {
        const { repository = "https://git.example.com/shop", commit = "4f2a9c1", ...input } = body;
        const { version } = await plan(input);
        const application = { ...input, version, provenance: { repository, commit } };
        const headers: Record<string, string> = key ? { "idempotency-key": key } : {};
        return await registry.applyCode({ headers, body: application as never });
      }

      async function waitFor(applicationId: string): Promise<CodeApplication> {
        for (;;) {
          const application = requireValue(
            await registry.getCodeApplication({ params: { applicationId } }),
            "application",
          );
          if (application.endedAt) return application;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }

      return {
        ...{ token, organizationId, registry, apis, analyzer, pull, plan, start, waitFor },
        stage: (document: string) => stage(apis, document),
        /** Only what files have. */
        pullObjects: async () =>
          (await pull()).map(
            ({ kind, parent, key, value }) =>
              ({ kind, ...(parent ? { parent } : {}), key, value }) as unknown as CodeObject,
          ),
        apply: async (body: Application) => await waitFor(requireValue(await start(body), "application").id),
      };
    },
    async close() {
      for (const service of [...services.values()].reverse()) await service.stop();
      surroundings.judging.stop();
      await surroundings.queue.stop();
      await surroundings.egress.close();
      await database.close();
    },
  };
}

type Application = Input & { prune?: boolean; overwrite?: boolean; repository?: string; commit?: string };
type Input = Partial<Omit<CodeInput, "objects">> & { objects: readonly object[] };

const noMoment = "2026-03-01T12:00:00.000Z";
const toLocation = (named: { id: string; name: string }) => ({
  ...{ ...named, description: "", version: 1, agents: { active: 0, silent: 0 }, waiting: 0, running: 0 },
  ...{ lastSeenAt: null, createdAt: noMoment, updatedAt: noMoment },
});
