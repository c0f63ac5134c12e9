import type { Logger } from "pino";
import type { Connect } from "../kit/client/client.ts";
import type { Clock } from "../kit/clock/clock.ts";
import type { Database } from "../kit/database/database.ts";
import { migrateSchema } from "../kit/database/migrate.ts";
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
import { createContactHandlers } from "./http/contact.ts";
import { createKeptFormHandlers } from "./http/kept-forms.ts";
import { createNotificationHandlers } from "./http/notifications.ts";
import { createFindOwnOrganization, createOrganizationHandlers } from "./http/organizations.ts";
import { createFindOwnPlan, createPlanHandlers } from "./http/plans.ts";
import { createRetentionHandlers } from "./http/retention.ts";
import { createSandboxMailHandlers } from "./http/sandbox-mail.ts";
import { createUsageHandlers } from "./http/usage.ts";
import { migrations } from "./store/migrations.ts";
import { type PortalTables, schemaName } from "./store/tables.ts";

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

/** What concerns the customer of the portal rather than an API: plans, notifications, and mail to those who run it. */
export async function createPortalService(options: PortalServiceOptions): Promise<RunningService> {
  const { database, clock, authenticate, securityService, serviceToken } = options;
  await migrateSchema(database, schemaName, migrations, options.log);
  const db = database.inSchema<PortalTables>(schemaName);
  const mail = await createMail({
    service: "portal-service",
    queue: options.queue,
    vault: createVault(options.secretsKey),
    log: options.log,
    delivery: options.delivery,
    work: options.work,
  });
  const findOwnOrganization = createFindOwnOrganization({ securityService, serviceToken });
  const findOwnPlan = createFindOwnPlan(db, findOwnOrganization);
  const app = createService({
    name: "portal-service",
    clock,
    description: "Plans and their prices, the caller's notifications and organization, and messages from visitors.",
    version: options.version,
    contract: portalServiceContract,
    handlers: {
      ...createOrganizationHandlers(findOwnOrganization),
      ...createRetentionHandlers(findOwnPlan),
      ...createUsageHandlers({ db, clock, findOwnPlan }),
      ...createPlanHandlers(db, findOwnPlan),
      ...createNotificationHandlers({ db, clock, securityService, serviceToken }),
      ...createContactHandlers({
        db,
        mail,
        authenticate,
        securityService,
        serviceToken,
        contactAddress: options.contactAddress,
      }),
      ...createSandboxMailHandlers(options.mailbox),
      ...createKeptFormHandlers({ db, clock }),
    },
    authenticate,
    log: options.log,
    checkHealth: database.checkHealth,
  });
  return { app, stop: mail.stop };
}
