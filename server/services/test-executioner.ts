import { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { createJudging } from "#libraries/judging/judging.ts";
import { createVault } from "../../services/kit/vault/vault.ts";
import { createTestExecutioner } from "../../services/test-executioner/service.ts";
import { runAlone } from "../run-alone.ts";

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
    maxMeasuredCircles,
    telemetry,
    environmentSecrets,
    offers,
  }) =>
    createTestExecutioner({
      ...shared,
      authenticate,
      serviceToken,
      settings,
      egress,
      work,
      schedule,
      maxMeasuredCircles,
      telemetry,
      environmentSecrets,
      offers,
      vault: createVault(secretsKey, previousSecretsKeys),
      portalService: connect("portal-service", portalServiceContract),
      testRegistry: connect("test-registry", testRegistryContract),
      apiRegistry: connect("api-registry", apiRegistryContract),
      securityService: connect("security-service", securityServiceContract),
      judging: createJudging(),
    }),
);
