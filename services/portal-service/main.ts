import { runAlone } from "../kit/service/run-alone.ts";
import { securityServiceContract } from "../security-service/contract/contract.ts";
import { createPortalService } from "./service.ts";

await runAlone("portal-service", ({ shared, authenticate, serviceToken, reach }) =>
  createPortalService({
    ...shared,
    authenticate,
    serviceToken,
    securityService: reach("securityService", securityServiceContract),
  }),
);
