import { runAlone } from "../../server/run-alone.ts";
import { portalServiceContract } from "../portal-service/contract/contract.ts";
import { testRegistryContract } from "../test-registry/contract/contract.ts";
import { createApiRegistry } from "./service.ts";

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
