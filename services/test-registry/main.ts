import { runAlone } from "../../server/run-alone.ts";
import { apiRegistryContract } from "../api-registry/contract/contract.ts";
import { createTestRegistry } from "./service.ts";

await runAlone("test-registry", ({ shared, authenticate, reach }) =>
  createTestRegistry({ ...shared, authenticate, apiRegistry: reach("apiRegistry", apiRegistryContract) }),
);
