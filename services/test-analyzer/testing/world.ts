import { pino } from "pino";
import { uuidv7 } from "uuidv7";
import { apiRegistryContract } from "../../api-registry/contract/contract.ts";
import { createApiRegistry } from "../../api-registry/service.ts";
import { tableEgress } from "../../api-registry/testing/registry.ts";
import { connectTo, requireAnswer } from "../../kit/client/client.ts";
import { movableClock } from "../../kit/clock/clock.ts";
import type { TestEngine } from "../../kit/testing/databases.ts";
import { createTestIdentities } from "../../kit/testing/identities.ts";
import { testAnalyzerContract } from "../contract/contract.ts";
import { createTestAnalyzer } from "../service.ts";

/** A test analyzer beside a real API registry, on one database of their own. */
export async function createTestAnalyzerWorld(engine: TestEngine) {
  const database = await engine.open();
  const identities = createTestIdentities();
  const clock = movableClock("2026-03-10T12:30:00Z");
  const shared = {
    database,
    authenticate: identities.authenticate,
    log: pino({ level: "silent" }),
    clock,
    version: "1.2.3",
  };
  const registry = await createApiRegistry({ ...shared, egress: tableEgress() });
  let registryAnswers = true;
  const apiRegistry = connectTo(apiRegistryContract, {
    transport: async (request) => {
      if (!registryAnswers) throw new Error("connection refused");
      return await registry.app.fetch(request);
    },
  });
  const service = await createTestAnalyzer({ ...shared, apiRegistry, serviceToken: identities.serviceToken });
  const connect = connectTo(testAnalyzerContract, { transport: async (request) => service.app.fetch(request) });
  return {
    service,
    clock,
    connect,
    tokenFor: identities.tokenFor,
    /** An organization: a client in its name, one as another service has it, and its APIs. */
    async createTenant() {
      const { token, organizationId } = identities.tokenFor();
      return {
        token,
        organizationId,
        client: connect({ token }),
        internal: connect({ token: await identities.serviceToken(organizationId) }),
        async registerApi(document: string, files: { fileName?: string; files?: Record<string, string> } = {}) {
          const answer = await apiRegistry({ token }).registerApi({ body: { source: { document, ...files } } });
          return requireAnswer(answer, "register").id;
        },
        async listOperations(apiId: string) {
          const answer = await apiRegistry({ token }).listOperations({ params: { apiId }, query: { limit: 200 } });
          return requireAnswer(answer, "operations").items;
        },
      };
    },
    silenceApiRegistry(silent: boolean) {
      registryAnswers = !silent;
    },
    async close() {
      await service.stop();
      await registry.stop();
      await database.close();
    },
  };
}

/** A finished execution as the executioner records it. */
export function recordedExecution(changes: Record<string, unknown> = {}) {
  return {
    executionId: uuidv7(),
    testId: uuidv7(),
    testName: "Lists pets",
    apiId: uuidv7(),
    method: "get",
    path: "/pets",
    verdict: "passed" as const,
    statusCode: 200,
    responseMilliseconds: 100,
    finishedAt: "2026-03-10T12:00:00Z",
    verifications: [],
    ...changes,
  };
}
