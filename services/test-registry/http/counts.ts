import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import { type ResourceFinders, requireFiltered } from "../../kit/service/resource-filters.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { countEnabledByMethod, countTestsByApi, countTestsByOperation } from "../store/counts.ts";
import {
  countAllLackingTests,
  countLackingTests,
  listDefinedNames,
  listLackingValues,
} from "../store/lacking-tests.ts";
import type { TestDatabase } from "../store/tables.ts";
import type { RequireApi } from "./require-api.ts";

export function createCountHandlers({
  db,
  requireApi,
  finders,
}: {
  db: TestDatabase;
  requireApi: RequireApi;
  finders: ResourceFinders;
}): Pick<
  Handlers<typeof testRegistryContract>,
  "countTests" | "countEnabledTests" | "countLackingTests" | "listLackingValues"
> {
  return {
    async countTests({ caller, query, requestId }) {
      const { organizationId } = caller;
      const { apiId } = query;
      const apiIds = apiId === undefined ? query.apiIds : [...(query.apiIds ?? []), apiId];
      const byApi = await countTestsByApi(db, organizationId, apiIds);
      const byOperation = apiId === undefined ? [] : await countTestsByOperation(db, organizationId, apiId);
      if (byOperation.length === 0) {
        await requireFiltered(finders, { organizationId, requestId, operation: "countTests" }, { apiId });
      }
      return { byApi, byOperation };
    },

    async countEnabledTests({ caller, params, requestId }) {
      const counts = await countEnabledByMethod(db, caller.organizationId, params.apiId);
      if (counts.length === 0) await requireApi(caller, requestId, params.apiId);
      return { byMethod: counts.map((count) => ({ ...count, isSafe: isSafe(count.method) })) };
    },

    async countLackingTests({ caller, params, body, requestId }) {
      const location = { organizationId: caller.organizationId, apiId: params.apiId };
      const defined = await listDefinedNames(db, location, body.given);
      const [items, total] = await Promise.all([
        countLackingTests(db, location, body.operations, defined),
        countAllLackingTests(db, location, defined),
      ]);
      if (total.tests === 0) await requireApi(caller, requestId, params.apiId);
      return { items, total };
    },

    async listLackingValues({ caller, params, body, requestId }) {
      const location = { organizationId: caller.organizationId, apiId: params.apiId };
      const items = await listLackingValues(
        db,
        location,
        body.testIds,
        await listDefinedNames(db, location, body.given),
      );
      if (items.length === 0) await requireApi(caller, requestId, params.apiId);
      return { items };
    },
  };
}
