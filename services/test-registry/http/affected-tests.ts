import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { listTestsOfCredentials, listTestsOfOperations } from "../store/affected-tests.ts";
import type { TestDatabase } from "../store/tables.ts";

type TouchedTestHandlers = Pick<
  Handlers<typeof testRegistryContract>,
  "findTestsOfOperations" | "findTestsOfCredentials"
>;

export function createAffectedTestHandlers(db: TestDatabase): TouchedTestHandlers {
  return {
    findTestsOfOperations: async ({ caller, params, body }) => ({
      items: await listTestsOfOperations(db, caller.organizationId, params.apiId, body.operations),
    }),

    findTestsOfCredentials: async ({ caller, body }) => ({
      items: await listTestsOfCredentials(db, caller.organizationId, body.credentialIds),
    }),
  };
}
