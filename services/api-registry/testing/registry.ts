import { pino } from "pino";
import { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { PlanStatus } from "#contracts/kit/plan.ts";
import { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { Egress, OutboundResult } from "#libraries/egress/egress.ts";
import { type Connect, connectTo, requireValue } from "../../kit/client/client.ts";
import { type MovableClock, movableClock } from "../../kit/clock/clock.ts";
import type { Database } from "../../kit/database/database.ts";
import type { Consumer } from "../../kit/events/consumer.ts";
import type { TestEngine } from "../../kit/testing/databases.ts";
import { createTestIdentities } from "../../kit/testing/identities.ts";
import { noLimits } from "../../kit/testing/plans.ts";
import { createVault } from "../../kit/vault/vault.ts";
import type { ImportLimits } from "../domain/limits.ts";
import { createApiRegistry } from "../service.ts";

/** An egress client that responds from a table and records its requests. */
export function tableEgress(
  responses: Record<string, { status?: number; body: string } | undefined> = {},
): Egress & { asked: string[] } {
  const requests: string[] = [];
  return {
    asked: requests,
    async send({ url }): Promise<OutboundResult> {
      requests.push(url);
      const response = responses[url];
      if (!response) {
        return {
          outcome: "failed",
          failure: { code: "target_not_allowed", detail: "This address is not allowed." },
          hops: [],
        };
      }
      const body = new TextEncoder().encode(response.body);
      return {
        outcome: "answered",
        hops: [],
        response: {
          url,
          status: response.status ?? 200,
          statusText: "",
          httpVersion: "1.1",
          headers: [],
          body,
          bodyBytes: body.length,
          transferredBytes: body.length,
          truncated: false,
          phases: { blocked: 0, dns: 0, connect: 0, tls: 0, send: 0, wait: 0, receive: 0, total: 0 },
        },
      };
    },
    async close() {},
  };
}

/** A test registry without a test. */
export const noTests = connectTo(testRegistryContract, { transport: () => Response.json({ items: [] }) });

/** A portal-service that returns given plans. */
export const connectToPortalWithPlan = (planStatus: () => PlanStatus) =>
  connectTo(portalServiceContract, { transport: () => Response.json(planStatus()) });

interface RegistryOptions {
  egress?: Egress;
  importLimits?: Partial<ImportLimits>;
  consumers?: Consumer[];
  testRegistry?: Connect<typeof testRegistryContract>;
  /** Of every organization. */
  planStatus?: PlanStatus;
  /** Of another process with the same database. */
  other?: { identities: ReturnType<typeof createTestIdentities>; clock: MovableClock };
  watchEveryMilliseconds?: number;
}

/** The running service with callers of two organizations. */
export async function startRegistry(database: Database, options: RegistryOptions = {}) {
  const identities = options.other?.identities ?? createTestIdentities();
  const clock = options.other?.clock ?? movableClock("2026-01-15T10:00:00Z");
  const service = await createApiRegistry({
    database,
    authenticate: identities.authenticate,
    log: pino({ level: "silent" }),
    clock,
    version: "test",
    egress: options.egress ?? tableEgress(),
    vault: createVault("a key for tests"),
    importLimits: options.importLimits,
    serviceToken: identities.serviceToken,
    testRegistry: options.testRegistry ?? noTests,
    portalService: connectToPortalWithPlan(() => options.planStatus ?? noLimits),
    consumers: options.consumers ?? [],
    work: true,
    watchEveryMilliseconds: options.watchEveryMilliseconds,
  });
  const connect = connectTo(apiRegistryContract, { transport: async (request) => service.app.fetch(request) });
  const owner = identities.tokenFor();
  return {
    service,
    clock,
    identities,
    connect,
    token: owner.token,
    organizationId: owner.organizationId,
    client: connect({ token: owner.token }),
    stranger: connect({ token: identities.tokenFor().token }),
    reader: connect({
      token: identities.tokenFor({ organizationId: owner.organizationId, scopes: ["apis:read"] }).token,
    }),
    anonymous: connect(),
  };
}

/** The running service on a database of its own. */
export async function openRegistry(engine: TestEngine, options: RegistryOptions = {}) {
  const database = await engine.open();
  const registry = await startRegistry(database, options);
  return {
    ...registry,
    database,
    /** Registers an API and returns its id. */
    register: async (body: Parameters<typeof registry.client.registerApi>[0]["body"]): Promise<string> =>
      requireValue(await registry.client.registerApi({ body }), "register").id,
    async close() {
      await registry.service.stop();
      await database.close();
    },
  };
}

export type OpenRegistry = Awaited<ReturnType<typeof openRegistry>>;
