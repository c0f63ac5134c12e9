import { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { createApiRegistry } from "../../services/api-registry/service.ts";
import { createVault } from "../../services/kit/vault/vault.ts";
import { runAlone } from "../run-alone.ts";

await runAlone(
  "api-registry",
  ({ shared, secretsKey, previousSecretsKeys, authenticate, serviceToken, egress, work, connect }) =>
    createApiRegistry({
      ...shared,
      authenticate,
      serviceToken,
      egress,
      work,
      vault: createVault(secretsKey, previousSecretsKeys),
      testRegistry: connect("test-registry", testRegistryContract),
      portalService: connect("portal-service", portalServiceContract),
    }),
);
