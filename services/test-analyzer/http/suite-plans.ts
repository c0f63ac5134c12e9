import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import { gatherPlanInput } from "#libraries/suite/plan/gather-plan-input.ts";
import { planSuite } from "#libraries/suite/plan/plan-suite.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { findOtherCredentials } from "./other-credentials.ts";
import { requireFromService } from "./service-result.ts";

export interface SuitePlanParts {
  apiRegistry: Connect<typeof apiRegistryContract>;
  securityService: Connect<typeof securityServiceContract>;
  serviceToken: IssueServiceToken;
}

/** Creates the handler that plans circles of tests. */
export function createSuitePlanHandlers({
  apiRegistry,
  securityService,
  serviceToken,
}: SuitePlanParts): Pick<Handlers<typeof testAnalyzerContract>, "planSuite"> {
  return {
    async planSuite({ caller, params, body, requestId }) {
      const registry = apiRegistry({ token: caller.token, requestId });
      const input = await gatherPlanInput(body.operations, {
        findOperations: async (operations) =>
          requireFromService(await registry.findOperations({ params, body: { operations } })),
        findDependencies: async (operations) =>
          requireFromService(await registry.findDependencies({ params, body: { operations } })),
      });
      const api = await registry.getApi({ params });
      const address = api.ok ? api.value.effectiveBaseUrl : null;
      const host = address !== null && URL.canParse(address) ? new URL(address).host : undefined;
      if (host === undefined || !input.operations.some(({ securitySchemes }) => securitySchemes.length > 0)) {
        return planSuite(input);
      }
      const security = {
        caller: securityService({ token: caller.token, requestId }),
        service: securityService({ token: await serviceToken(caller.organizationId), requestId }),
      };
      return planSuite({ ...input, otherCredentials: await findOtherCredentials(security, host) });
    },
  };
}
