import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { TestDatabase } from "../store/tables.ts";
import { listTestsOfCredentials, listTestsOfOperations } from "../store/touched-tests.ts";

type TouchedTestHandlers = Pick<
  Handlers<typeof testRegistryContract>,
  "findTestsOfOperations" | "findTestsOfCredentials"
>;

export function createTouchedTestHandlers(db: TestDatabase): TouchedTestHandlers {
  return {
    findTestsOfOperations: async ({ caller, params, body }) => ({
      items: await listTestsOfOperations(db, caller.organizationId, params.apiId, body.operations),
    }),

    findTestsOfCredentials: async ({ caller, body }) => ({
      items: await listTestsOfCredentials(db, caller.organizationId, body.credentialIds),
    }),
  };
}
