import { runAlone } from "../../server/run-alone.ts";
import { securityServiceContract } from "../security-service/contract/contract.ts";
import { createPortalService } from "./service.ts";

await runAlone("portal-service", async ({ shared, authenticate, serviceToken, connect, ...alone }) =>
  createPortalService({
    ...shared,
    authenticate,
    serviceToken,
    securityService: connect("security-service", securityServiceContract),
    queue: await alone.openQueue(),
    delivery: alone.delivery,
    work: alone.work,
    secretsKey: alone.secretsKey,
    contactAddress: alone.contactAddress,
    mailbox: undefined,
  }),
);
