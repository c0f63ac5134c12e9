import { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { createVault } from "../../services/kit/vault/vault.ts";
import { createTestRegistry } from "../../services/test-registry/service.ts";
import { runAlone } from "../run-alone.ts";

await runAlone(
  "test-registry",
  ({ shared, secretsKey, previousSecretsKeys, authenticate, serviceToken, work, schedule, connect }) =>
    createTestRegistry({
      ...shared,
      authenticate,
      serviceToken,
      work,
      schedule,
      vault: createVault(secretsKey, previousSecretsKeys),
      apiRegistry: connect("api-registry", apiRegistryContract),
      securityService: connect("security-service", securityServiceContract),
      portalService: connect("portal-service", portalServiceContract),
      testAnalyzer: connect("test-analyzer", testAnalyzerContract),
      testExecutioner: connect("test-executioner", testExecutionerContract),
    }),
);
