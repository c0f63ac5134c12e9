import { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { ReceivingContract } from "../services/kit/events/consumer.ts";
import type { ServiceName } from "./configuration.ts";

/** The contracts of all services, in this process or elsewhere. */
export const contracts: Record<ServiceName, ReceivingContract> = {
  "security-service": securityServiceContract,
  "portal-service": portalServiceContract,
  "api-registry": apiRegistryContract,
  "test-registry": testRegistryContract,
  "test-executioner": testExecutionerContract,
  "test-analyzer": testAnalyzerContract,
};
