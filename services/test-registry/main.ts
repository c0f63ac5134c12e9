import { runAlone } from "../../server/run-alone.ts";
import { apiRegistryContract } from "../api-registry/contract/contract.ts";
import { createTestRegistry } from "./service.ts";

await runAlone("test-registry", ({ shared, authenticate, connect }) =>
  createTestRegistry({ ...shared, authenticate, apiRegistry: connect("api-registry", apiRegistryContract) }),
);
