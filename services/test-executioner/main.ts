import { runAlone } from "../../server/run-alone.ts";
import { apiRegistryContract } from "../api-registry/contract/contract.ts";
import { securityServiceContract } from "../security-service/contract/contract.ts";
import { testAnalyzerContract } from "../test-analyzer/contract/contract.ts";
import { testRegistryContract } from "../test-registry/contract/contract.ts";
import { createTestExecutioner } from "./service.ts";

await runAlone("test-executioner", async ({ shared, authenticate, serviceToken, egress, openQueue, work, connect }) =>
  createTestExecutioner({
    ...shared,
    authenticate,
    serviceToken,
    egress,
    work,
    queue: await openQueue(),
    testRegistry: connect("test-registry", testRegistryContract),
    apiRegistry: connect("api-registry", apiRegistryContract),
    securityService: connect("security-service", securityServiceContract),
    testAnalyzer: connect("test-analyzer", testAnalyzerContract),
  }),
);
