import { openPayPal } from "../../server/payments.ts";
import { runAlone } from "../../server/run-alone.ts";
import { StartRefused } from "../kit/service/start-refused.ts";
import { securityServiceContract } from "../security-service/contract/contract.ts";
import { createPortalService } from "./service.ts";

await runAlone("portal-service", async ({ shared, authenticate, serviceToken, connect, ...alone }) => {
  const { publicUrl, paypal } = alone;
  if (!publicUrl) throw new StartRefused("PUBLIC_URL is needed to run portal-service alone: buyers come back there.");
  return createPortalService({
    ...shared,
    authenticate,
    serviceToken,
    settings: alone.settings,
    securityService: connect("security-service", securityServiceContract),
    queue: await alone.openQueue(),
    delivery: alone.delivery,
    mailServer: alone.mailServer,
    work: alone.work,
    secretsKey: alone.secretsKey,
    previousSecretsKeys: alone.previousSecretsKeys,
    contactAddress: alone.contactAddress,
    mailbox: undefined,
    provider: paypal && openPayPal(paypal).provider,
    portalOrigin: () => publicUrl,
  });
});
