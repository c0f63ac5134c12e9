import { runAlone } from "../../server/run-alone.ts";
import { apiRegistryContract } from "../api-registry/contract/contract.ts";
import { consumerOf } from "../kit/events/consumer.ts";
import { portalServiceContract } from "../portal-service/contract/contract.ts";
import { testExecutionerContract } from "../test-executioner/contract/contract.ts";
import { createTestRegistry } from "./service.ts";

await runAlone("test-registry", ({ shared, authenticate, serviceToken, work, connect }) =>
  createTestRegistry({
    ...shared,
    authenticate,
    serviceToken,
    work,
    apiRegistry: connect("api-registry", apiRegistryContract),
    consumers: [
      consumerOf("test-executioner", testExecutionerContract, connect),
      consumerOf("portal-service", portalServiceContract, connect),
    ],
  }),
);
