import { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { createJudging } from "#libraries/judging/judging.ts";
import { StartRefused } from "../../services/kit/service/start-refused.ts";
import { createTestAnalyzer } from "../../services/test-analyzer/service.ts";
import { runAlone } from "../run-alone.ts";

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
    judging: createJudging(),
    queue: await alone.openQueue(),
    delivery: alone.delivery,
    egress: alone.egress,
    secretsKey: alone.secretsKey,
    previousSecretsKeys: alone.previousSecretsKeys,
    portalOrigin: () => publicUrl,
    work: alone.work,
  });
});
