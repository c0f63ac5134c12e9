import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import { gatherPlanInput } from "#libraries/suite/plan/gather-plan-input.ts";
import { planSuite } from "#libraries/suite/plan/plan-suite.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { requireFromService } from "./service-result.ts";

/** Creates the handler that plans circles of tests. */
export function createSuitePlanHandlers(
  apiRegistry: Connect<typeof apiRegistryContract>,
): Pick<Handlers<typeof testAnalyzerContract>, "planSuite"> {
  return {
    async planSuite({ caller, params, body, requestId }) {
      const registry = apiRegistry({ token: caller.token, requestId });
      const input = await gatherPlanInput(body.operations, {
        findOperations: async (operations) =>
          requireFromService(await registry.findOperations({ params, body: { operations } })),
        findDependencies: async (operations) =>
          requireFromService(await registry.findDependencies({ params, body: { operations } })),
      });
      return planSuite(input);
    },
  };
}
