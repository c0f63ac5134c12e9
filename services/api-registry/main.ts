import { runAlone } from "../../server/run-alone.ts";
import { consumerOf } from "../kit/events/consumer.ts";
import { portalServiceContract } from "../portal-service/contract/contract.ts";
import { testAnalyzerContract } from "../test-analyzer/contract/contract.ts";
import { testExecutionerContract } from "../test-executioner/contract/contract.ts";
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
    consumers: [
      consumerOf("test-registry", testRegistryContract, connect),
      consumerOf("test-executioner", testExecutionerContract, connect),
      consumerOf("portal-service", portalServiceContract, connect),
      consumerOf("test-analyzer", testAnalyzerContract, connect),
    ],
  }),
);
