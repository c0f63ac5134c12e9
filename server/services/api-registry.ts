import { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { createApiRegistry } from "../../services/api-registry/service.ts";
import { runAlone } from "../run-alone.ts";

await runAlone("api-registry", ({ shared, authenticate, serviceToken, egress, work, connect }) =>
  createApiRegistry({
    ...shared,
    authenticate,
    serviceToken,
    egress,
    work,
    testRegistry: connect("test-registry", testRegistryContract),
    portalService: connect("portal-service", portalServiceContract),
  }),
);
