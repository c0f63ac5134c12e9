import { runAlone } from "../../server/run-alone.ts";
import { apiRegistryContract } from "../api-registry/contract/contract.ts";
import { createVault } from "../kit/vault/vault.ts";
import { portalServiceContract } from "../portal-service/contract/contract.ts";
import { securityServiceContract } from "../security-service/contract/contract.ts";
import { testExecutionerContract } from "../test-executioner/contract/contract.ts";
import { createTestRegistry } from "./service.ts";

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
      testExecutioner: connect("test-executioner", testExecutionerContract),
    }),
);
