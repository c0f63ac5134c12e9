import { runAlone } from "../../server/run-alone.ts";
import { apiRegistryContract } from "../api-registry/contract/contract.ts";
import { StartRefused } from "../kit/service/start-refused.ts";
import { portalServiceContract } from "../portal-service/contract/contract.ts";
import { testRegistryContract } from "../test-registry/contract/contract.ts";
import { createSecurityService } from "./service.ts";

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
      portalService: connect("portal-service", portalServiceContract),
      apiRegistry: connect("api-registry", apiRegistryContract),
      testRegistry: connect("test-registry", testRegistryContract),
    });
    alone.followSettings(service.settings);
    return service;
  },
);
