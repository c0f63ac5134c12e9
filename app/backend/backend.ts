import type { apiRegistryContract } from "../../services/api-registry/contract/contract.ts";
import type { Client } from "../../services/kit/client/client.ts";
import type { portalServiceContract } from "../../services/portal-service/contract/contract.ts";
import type { securityServiceContract } from "../../services/security-service/contract/contract.ts";
import type { testAnalyzerContract } from "../../services/test-analyzer/contract/contract.ts";
import type { testExecutionerContract } from "../../services/test-executioner/contract/contract.ts";
import type { testRegistryContract } from "../../services/test-registry/contract/contract.ts";

/** The doors to the six services, opened for one caller. */
export interface Backend {
  securityService: Client<typeof securityServiceContract>;
  portalService: Client<typeof portalServiceContract>;
  apiRegistry: Client<typeof apiRegistryContract>;
  testRegistry: Client<typeof testRegistryContract>;
  testExecutioner: Client<typeof testExecutionerContract>;
  testAnalyzer: Client<typeof testAnalyzerContract>;
}
