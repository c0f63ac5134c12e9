import { securityServiceContract } from "#contracts/security-service/contract.ts";
import { StartRefused } from "../../services/kit/service/start-refused.ts";
import { createPortalService } from "../../services/portal-service/service.ts";
import { openPayPal } from "../payments.ts";
import { runAlone } from "../run-alone.ts";

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
