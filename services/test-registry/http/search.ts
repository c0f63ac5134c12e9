import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { searchCircles, searchTests } from "../store/search.ts";
import type { TestDatabase } from "../store/tables.ts";

export function createSearchHandlers(db: TestDatabase): Pick<Handlers<typeof testRegistryContract>, "searchTests"> {
  return {
    async searchTests({ caller: { organizationId }, query }) {
      const search = { organizationId, ...query };
      const [tests, testCircles] = await Promise.all([searchTests(db, search), searchCircles(db, search)]);
      return { tests, testCircles };
    },
  };
}
