import { runAlone } from "../../server/run-alone.ts";
import { apiRegistryContract } from "../api-registry/contract/contract.ts";
import { createTestAnalyzer } from "./service.ts";

await runAlone("test-analyzer", ({ shared, authenticate, serviceToken, connect }) =>
  createTestAnalyzer({
    ...shared,
    authenticate,
    serviceToken,
    apiRegistry: connect("api-registry", apiRegistryContract),
  }),
);
