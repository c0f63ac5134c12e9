import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { Client } from "../../services/kit/client/client.ts";

/** The clients of the six services, opened for one caller. */
export interface Backend {
  securityService: Client<typeof securityServiceContract>;
  portalService: Client<typeof portalServiceContract>;
  apiRegistry: Client<typeof apiRegistryContract>;
  testRegistry: Client<typeof testRegistryContract>;
  testExecutioner: Client<typeof testExecutionerContract>;
  testAnalyzer: Client<typeof testAnalyzerContract>;
}
