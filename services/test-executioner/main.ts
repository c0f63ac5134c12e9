import { runAlone } from "../../server/run-alone.ts";
import { apiRegistryContract } from "../api-registry/contract/contract.ts";
import { createVault } from "../kit/vault/vault.ts";
import { portalServiceContract } from "../portal-service/contract/contract.ts";
import { securityServiceContract } from "../security-service/contract/contract.ts";
import { testAnalyzerContract } from "../test-analyzer/contract/contract.ts";
import { testRegistryContract } from "../test-registry/contract/contract.ts";
import { createTestExecutioner } from "./service.ts";

await runAlone(
  "test-executioner",
  async ({
    shared,
    secretsKey,
    previousSecretsKeys,
    authenticate,
    serviceToken,
    settings,
    egress,
    work,
    schedule,
    connect,
  }) =>
    createTestExecutioner({
      ...shared,
      authenticate,
      serviceToken,
      settings,
      egress,
      work,
      schedule,
      vault: createVault(secretsKey, previousSecretsKeys),
      portalService: connect("portal-service", portalServiceContract),
      testRegistry: connect("test-registry", testRegistryContract),
      apiRegistry: connect("api-registry", apiRegistryContract),
      securityService: connect("security-service", securityServiceContract),
      testAnalyzer: connect("test-analyzer", testAnalyzerContract),
    }),
);
