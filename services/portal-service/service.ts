import type { Logger } from "pino";
import type { Connect } from "../kit/client/client.ts";
import type { Clock } from "../kit/clock/clock.ts";
import type { Database } from "../kit/database/database.ts";
import type { Authenticate, IssueServiceToken } from "../kit/identity/identity.ts";
import { createMail } from "../kit/mail/mail.ts";
import type { Mailbox } from "../kit/mail/mailbox.ts";
import type { Delivery } from "../kit/mail/smtp.ts";
import type { Queue } from "../kit/queue/queue.ts";
import type { RunningService } from "../kit/service/running-service.ts";
import { createService } from "../kit/service/service.ts";
import { createVault } from "../kit/vault/vault.ts";
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
  queue: Queue;
  /** How mail leaves; undefined where it can't. */
  delivery: Delivery | undefined;
  /** Whether this process delivers mail, or only takes it in. */
  work: boolean;
  /** Seals waiting letters. */
  secretsKey: string;
  /** Whom visitors write to. */
  contactAddress: string;
  /** Where mail stays in the embedded default, to be read there. */
  mailbox: Mailbox | undefined;
}

/** What concerns the customer of the portal rather than an API: today the organization one works in. */
export async function createPortalService(options: PortalServiceOptions): Promise<RunningService> {
  const { securityService, serviceToken } = options;
  const mail = await createMail({
    service: "portal-service",
    queue: options.queue,
    vault: createVault(options.secretsKey),
    log: options.log,
    delivery: options.delivery,
    work: options.work,
  });
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
  return { app, stop: mail.stop };
}
