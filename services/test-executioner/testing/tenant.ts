import { setTimeout as pause } from "node:timers/promises";
import type { z } from "@hono/zod-openapi";
import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { circleInput } from "#contracts/test-registry/circles.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { type Connect, requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import type { createTestIdentities } from "../../kit/testing/identities.ts";
import { type SecurityTables, schemaName as securitySchema } from "../../security-service/store/tables.ts";

interface TenantParts {
  database: Database;
  identities: ReturnType<typeof createTestIdentities>;
  apiRegistry: Connect<typeof apiRegistryContract>;
  testRegistry: Connect<typeof testRegistryContract>;
  securityService: Connect<typeof securityServiceContract>;
  connect: Connect<typeof testExecutionerContract>;
}

/** An organization with one API whose document names the base URL. */
export async function createTenant(parts: TenantParts, baseUrl: string, document: object = {}) {
  const { database, identities, apiRegistry, testRegistry, securityService, connect } = parts;
  const { token, organizationId } = identities.tokenFor();
  await database
    .inSchema<SecurityTables>(securitySchema)
    .insertInto("organizations")
    .values({ id: organizationId, kind: "organization", name: "Tenant", created_at: new Date() })
    .execute();
  const text = JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Target", version: "1" },
    servers: [{ url: baseUrl }],
    paths: { "/": { get: { responses: { "200": { description: "ok" } } } } },
    ...document,
  });
  const registered = await apiRegistry({ token }).registerApi({ body: { source: { document: text } } });
  const apiId = requireValue(registered, "The API could not be registered").id;
  /** What a signed-in user starts is manual, unlike what a program starts. */
  const user = connect({ token });
  const client = connect(identities.tokenFor({ organizationId, apiToken: "Tests" }));
  const manage = async () => securityService({ token: await identities.serviceToken(organizationId) });
  return {
    token,
    organizationId,
    apiId,
    client,
    user,
    async createTest(input: Partial<TestInput> = {}) {
      const body = {
        name: "a test",
        method: "get",
        path: "/",
        request: {},
        assertions: [{ source: "statusCode" as const, comparison: "equals" as const, target: 200 }],
        ...input,
      };
      const created = await testRegistry({ token }).createTest({ params: { apiId }, body });
      return requireValue(created, "The test could not be created");
    },
    async createCircle(input: Omit<z.input<typeof circleInput>, "name"> & { name?: string }) {
      const created = await testRegistry({ token }).createCircle({ body: { name: "a circle", ...input } });
      return requireValue(created, "The circle could not be created");
    },
    async connectVault(input: object) {
      const client = await manage();
      return requireValue(await client.setVaultConnection({ body: input as never }), "No connection to Vault");
    },
    async createCredential(input: object) {
      const client = await manage();
      return requireValue(await client.createCredential({ body: input as never }), "No credential").id;
    },
    async changeCredential(credentialId: string, input: object) {
      const client = await manage();
      const changed = await client.changeCredential({ params: { credentialId }, body: input as never });
      requireValue(changed, "The credential could not be changed");
    },
    /** Manages domains and their settings as an administrator. */
    manage,
    /** Runs a test to its end and returns the whole execution. */
    async run(
      testId: string,
      body: { variables?: Record<string, string>; baseUrl?: string; environment?: string } = {},
    ) {
      const started = requireValue(await client.runTest({ params: { testId }, query: { wait: 30 }, body }), "run");
      for (;;) {
        const execution = requireValue(await client.getExecution({ params: { executionId: started.id } }), "get");
        if (execution.state === "finished" || execution.state === "cancelled") return execution;
        await pause(20);
      }
    },
  };
}
