import { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { Contract } from "#contracts/kit/endpoint.ts";
import { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";

const contracts: Contract[] = [
  ...[securityServiceContract, portalServiceContract, apiRegistryContract],
  ...[testRegistryContract, testExecutionerContract, testAnalyzerContract],
];

/** The kinds of resources whose changes are recorded. */
export const auditedKinds = [
  ...new Set(
    contracts
      .flatMap((contract) => Object.values(contract))
      .flatMap(({ audit }) => (typeof audit === "string" ? [audit] : [])),
  ),
].sort();
