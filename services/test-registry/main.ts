import { apiRegistryContract } from "../api-registry/contract/contract.ts";
import { runAlone } from "../kit/service/run-alone.ts";
import { createTestRegistry } from "./service.ts";

await runAlone("test-registry", ({ shared, authenticate, reach }) =>
  createTestRegistry({ ...shared, authenticate, apiRegistry: reach("apiRegistry", apiRegistryContract) }),
);
