import { apiRegistryContract } from "../../../../services/api-registry/contract/contract.ts";
import type { Contract } from "../../../../services/kit/contract/endpoint.ts";
import { portalServiceContract } from "../../../../services/portal-service/contract/contract.ts";
import { securityServiceContract } from "../../../../services/security-service/contract/contract.ts";
import { testAnalyzerContract } from "../../../../services/test-analyzer/contract/contract.ts";
import { testExecutionerContract } from "../../../../services/test-executioner/contract/contract.ts";
import { testRegistryContract } from "../../../../services/test-registry/contract/contract.ts";

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
