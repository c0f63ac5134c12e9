import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { listTestsOfCredentials, listTestsOfOperations } from "../store/affected-tests.ts";
import { readCircles, readForReview } from "../store/reviewed-tests.ts";
import type { TestDatabase } from "../store/tables.ts";

type TouchedTestHandlers = Pick<
  Handlers<typeof testRegistryContract>,
  "findTestsOfOperations" | "findTestsOfCredentials"
>;

export function createAffectedTestHandlers(db: TestDatabase): TouchedTestHandlers {
  return {
    async findTestsOfOperations({ caller: { organizationId }, params, body }) {
      const items = await listTestsOfOperations(db, organizationId, params.apiId, body.operations);
      const read = body.withDefinitions ? readForReview : body.withCircles ? readCircles : undefined;
      if (!read) return { items };
      const ids = items.flatMap((operation) => operation.items.map(({ id }) => id));
      const add = await read(db, organizationId, ids);
      return { items: items.map((operation) => ({ ...operation, items: operation.items.map(add) })) };
    },

    findTestsOfCredentials: async ({ caller, body }) => ({
      items: await listTestsOfCredentials(db, caller.organizationId, body.credentialIds),
    }),
  };
}
