import { apiRegistryContract } from "../services/api-registry/contract/contract.ts";
import type { ReceivingContract } from "../services/kit/events/consumer.ts";
import { portalServiceContract } from "../services/portal-service/contract/contract.ts";
import { securityServiceContract } from "../services/security-service/contract/contract.ts";
import { testAnalyzerContract } from "../services/test-analyzer/contract/contract.ts";
import { testExecutionerContract } from "../services/test-executioner/contract/contract.ts";
import { testRegistryContract } from "../services/test-registry/contract/contract.ts";
import type { ServiceName } from "./configuration.ts";

/** What every service promises, wherever it runs. */
export const contracts: Record<ServiceName, ReceivingContract> = {
  "security-service": securityServiceContract,
  "portal-service": portalServiceContract,
  "api-registry": apiRegistryContract,
  "test-registry": testRegistryContract,
  "test-executioner": testExecutionerContract,
  "test-analyzer": testAnalyzerContract,
};
