import type { Logger } from "pino";
import type { Connect } from "../kit/client/client.ts";
import type { Clock } from "../kit/clock/clock.ts";
import type { Database } from "../kit/database/database.ts";
import type { Authenticate, IssueServiceToken } from "../kit/identity/identity.ts";
import type { RunningService } from "../kit/service/running-service.ts";
import { createService } from "../kit/service/service.ts";
import type { securityServiceContract } from "../security-service/contract/contract.ts";
import { portalServiceContract } from "./contract/contract.ts";
import { createOrganizationHandlers } from "./http/organizations.ts";

export interface PortalServiceOptions {
  database: Database;
  authenticate: Authenticate;
  log: Logger;
  clock: Clock;
  version: string;
  securityService: Connect<typeof securityServiceContract>;
  serviceToken: IssueServiceToken;
}

/** What concerns the customer of the portal rather than an API: today the organization one works in. */
export async function createPortalService(options: PortalServiceOptions): Promise<RunningService> {
  const { securityService, serviceToken } = options;
  const app = createService({
    name: "portal-service",
    description: "The organization the caller works in.",
    version: options.version,
    contract: portalServiceContract,
    handlers: createOrganizationHandlers({ securityService, serviceToken }),
    authenticate: options.authenticate,
    log: options.log,
    checkHealth: options.database.checkHealth,
  });
  return { app, stop: async () => {} };
}
