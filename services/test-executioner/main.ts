import { runAlone } from "../../server/run-alone.ts";
import { apiRegistryContract } from "../api-registry/contract/contract.ts";
import { securityServiceContract } from "../security-service/contract/contract.ts";
import { testAnalyzerContract } from "../test-analyzer/contract/contract.ts";
import { testRegistryContract } from "../test-registry/contract/contract.ts";
import { createTestExecutioner } from "./service.ts";

await runAlone("test-executioner", async ({ shared, authenticate, serviceToken, egress, openQueue, work, reach }) =>
  createTestExecutioner({
    ...shared,
    authenticate,
    serviceToken,
    egress,
    work,
    queue: await openQueue(),
    testRegistry: reach("testRegistry", testRegistryContract),
    apiRegistry: reach("apiRegistry", apiRegistryContract),
    securityService: reach("securityService", securityServiceContract),
    testAnalyzer: reach("testAnalyzer", testAnalyzerContract),
  }),
);
