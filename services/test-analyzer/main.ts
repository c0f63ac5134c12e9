import { runAlone } from "../../server/run-alone.ts";
import { apiRegistryContract } from "../api-registry/contract/contract.ts";
import { StartRefused } from "../kit/service/start-refused.ts";
import { securityServiceContract } from "../security-service/contract/contract.ts";
import { testExecutionerContract } from "../test-executioner/contract/contract.ts";
import { testRegistryContract } from "../test-registry/contract/contract.ts";
import { createTestAnalyzer } from "./service.ts";

await runAlone("test-analyzer", async ({ shared, authenticate, serviceToken, connect, ...alone }) => {
  const { publicUrl } = alone;
  if (!publicUrl)
    throw new StartRefused("PUBLIC_URL is needed to run test-analyzer alone: links in alerts lead there.");
  return createTestAnalyzer({
    ...shared,
    authenticate,
    serviceToken,
    apiRegistry: connect("api-registry", apiRegistryContract),
    testRegistry: connect("test-registry", testRegistryContract),
    testExecutioner: connect("test-executioner", testExecutionerContract),
    securityService: connect("security-service", securityServiceContract),
    queue: await alone.openQueue(),
    delivery: alone.delivery,
    egress: alone.egress,
    secretsKey: alone.secretsKey,
    previousSecretsKeys: alone.previousSecretsKeys,
    portalOrigin: () => publicUrl,
    work: alone.work,
  });
});
