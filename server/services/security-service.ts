import { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { StartRefused } from "../../services/kit/service/start-refused.ts";
import { createSecurityService } from "../../services/security-service/service.ts";
import { runAlone } from "../run-alone.ts";

await runAlone(
  "security-service",
  async ({ shared, secretsKey, previousSecretsKeys, serviceKey, administrator, connect, ...alone }) => {
    const { publicUrl } = alone;
    if (!publicUrl)
      throw new StartRefused("PUBLIC_URL is needed to run security-service alone: links in mail lead there.");
    const service = await createSecurityService({
      ...shared,
      secretsKey,
      previousSecretsKeys,
      serviceKey,
      administrator,
      queue: await alone.openQueue(),
      delivery: alone.delivery,
      work: alone.work,
      portalOrigin: () => publicUrl,
      humanCheckProvider: alone.humanCheckProvider,
      egress: alone.egress,
      environmentEgressAllow: alone.environmentEgressAllow,
      environmentPrefix: alone.environmentPrefix,
      portalService: connect("portal-service", portalServiceContract),
      apiRegistry: connect("api-registry", apiRegistryContract),
      testRegistry: connect("test-registry", testRegistryContract),
    });
    alone.followSettings(service.settings);
    return service;
  },
);
