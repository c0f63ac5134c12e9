import { runAlone } from "../../server/run-alone.ts";
import { apiRegistryContract } from "../api-registry/contract/contract.ts";
import { testExecutionerContract } from "../test-executioner/contract/contract.ts";
import { createTestAnalyzer } from "./service.ts";

await runAlone("test-analyzer", ({ shared, authenticate, serviceToken, connect }) =>
  createTestAnalyzer({
    ...shared,
    authenticate,
    serviceToken,
    apiRegistry: connect("api-registry", apiRegistryContract),
    testExecutioner: connect("test-executioner", testExecutionerContract),
  }),
);
