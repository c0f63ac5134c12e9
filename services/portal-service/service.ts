import type { Logger } from "pino";
import { portalServiceContract } from "#contracts/portal-service/contract.ts";
import type { PortalEvent } from "#contracts/portal-service/events.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import { createAuditHandlers } from "../kit/audit/audit-handlers.ts";
import { startAuditRetention } from "../kit/audit/audit-retention.ts";
import type { Connect } from "../kit/client/client.ts";
import type { Clock } from "../kit/clock/clock.ts";
import type { Database } from "../kit/database/database.ts";
import { migrateSchema } from "../kit/database/migrate.ts";
import type { Consumer } from "../kit/events/consumer.ts";
import { createPublisher } from "../kit/events/publisher.ts";
import type { Authenticate, IssueServiceToken } from "../kit/identity/identity.ts";
import { createMail, getEmailQueueName } from "../kit/mail/mail.ts";
import type { Mailbox } from "../kit/mail/mailbox.ts";
import type { Delivery, MailServer } from "../kit/mail/smtp.ts";
import { createEndedOrganizations } from "../kit/organization/ended-organizations.ts";
import type { Queue } from "../kit/queue/queue.ts";
import { createWaitingWorkHandlers } from "../kit/queue/waiting-work.ts";
import type { RunningService } from "../kit/service/running-service.ts";
import { createService } from "../kit/service/service.ts";
import { type Settings, withoutSettings } from "../kit/settings/settings.ts";
import { createVault } from "../kit/vault/vault.ts";
import type { GateLimits } from "./domain/webhook-gate.ts";
import { createBillingAddressHandlers } from "./http/billing-addresses.ts";
import { createContactHandlers } from "./http/contact.ts";
import { createDeliveryHandlers } from "./http/deliveries.ts";
import { createMailHandlers } from "./http/mail.ts";
import { createMonthlyNumbersHandlers } from "./http/monthly-numbers.ts";
import { createNotificationHandlers } from "./http/notifications.ts";
import { createOperatedPlanHandlers } from "./http/operated-plans.ts";
import { createOperatedSubscriptionHandlers } from "./http/operated-subscriptions.ts";
import { createOrganizationNames } from "./http/organization-names.ts";
import { createFindOwnOrganization, createOrganizationHandlers } from "./http/organizations.ts";
import { createPaymentHandlers } from "./http/payments.ts";
import { createPayPalWebhookHandlers } from "./http/paypal-webhooks.ts";
import { createPlanChangeHandlers } from "./http/plan-changes.ts";
import { createFindOwnPlan, createFindPlansSoFar, createPlanHandlers } from "./http/plans.ts";
import { createReconciliationHandlers } from "./http/reconciliations.ts";
import { createRetentionHandlers } from "./http/retention.ts";
import { createSandboxMailHandlers } from "./http/sandbox-mail.ts";
import { createSavedFormHandlers } from "./http/saved-forms.ts";
import { createSubscriptionCalls } from "./http/subscription-calls.ts";
import { createSubscriptionHandlers } from "./http/subscriptions.ts";
import { createUsageHandlers } from "./http/usage.ts";
import { createBillingEmails } from "./jobs/billing-emails.ts";
import { startDeliveryRetention } from "./jobs/delivery-retention.ts";
import { observeTruth } from "./jobs/observed-truth.ts";
import { createOwnPlans } from "./jobs/own-plans.ts";
import { startPlanChecks } from "./jobs/plan-checks.ts";
import { createProviderTruth } from "./jobs/provider-truth.ts";
import { createReconciliation, reconciliationMetrics } from "./jobs/reconciliation.ts";
import { createSubscriptionChecks } from "./jobs/subscription-checks.ts";
import { createEndSubscriptions } from "./jobs/subscriptions-end.ts";
import type { PaymentProvider } from "./payment/provider.ts";
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
  /** The operator's settings; the product's defaults without them. */
  settings?: Settings;
  /** The services that enforce plan limits. */
  consumers: Consumer[];
  queue: Queue;
  /** Mail transport; undefined when mail can't be sent. */
  delivery: Delivery | undefined;
  /** The mail server and the sender; undefined when mail stays here or can't be sent. */
  mailServer?: MailServer;
  /** Whether this process delivers mail, or only accepts it. */
  work: boolean;
  /** Seals queued emails. */
  secretsKey: string;
  /** Previous keys, which only open. */
  previousSecretsKeys?: string[];
  /** The operators' address for visitors. */
  contactAddress: string;
  /** The local mailbox of the embedded default. */
  mailbox: Mailbox | undefined;
  /** The payment provider; undefined when nothing is sold. */
  provider: PaymentProvider | undefined;
  /** A sandbox: no money moves. */
  isSandbox?: boolean;
  /** Limits on verifying webhooks; for tests. */
  webhookLimits?: GateLimits;
  /** The portal's address for users. */
  portalOrigin(): string;
}

/**
 * Everything about customers of the portal rather than their APIs: plans, notifications, and mail to the operators.
 */
export async function createPortalService(options: PortalServiceOptions): Promise<RunningService> {
  const { database, clock, authenticate, securityService, serviceToken } = options;
  await migrateSchema(database, schemaName, migrations, options.log);
  const db = database.inSchema<PortalTables>(schemaName);
  const vault = createVault(options.secretsKey, options.previousSecretsKeys);
  const { provider, portalOrigin } = options;
  const publisher = await createPublisher<PortalEvent>({ ...options, schema: schemaName });
  const mail = await createMail({
    service: "portal-service",
    database,
    schema: schemaName,
    queue: options.queue,
    vault,
    log: options.log,
    delivery: options.delivery,
    work: options.work,
  });
  const emails = await createBillingEmails({
    ...{ db, queue: options.queue, mail, securityService, serviceToken, portalOrigin, log: options.log },
    canSend: options.delivery !== undefined,
    work: options.work,
  });
  const ownPlans = createOwnPlans({ db, clock, publisher, emails });
  const requesting = { db, vault, clock, log: options.log, portalOrigin, ownPlans, emails };
  const truth = provider && observeTruth(createProviderTruth({ ...requesting, provider }), requesting);
  const findOwnOrganization = createFindOwnOrganization({ securityService, serviceToken });
  const findOwnPlan = createFindOwnPlan(ownPlans, findOwnOrganization);
  const selling = { db, clock, vault, truth };
  const names = createOrganizationNames({ securityService, serviceToken });
  const subscriptionCalls = createSubscriptionCalls(selling);
  const ended = await createEndedOrganizations({
    ...options,
    schema: schemaName,
    prepare: createEndSubscriptions({ db, clock, sells: provider !== undefined }),
  });
  const app = createService({
    name: "portal-service",
    clock,
    description: "Plans and their prices, the caller's notifications and organization, and messages from visitors.",
    version: options.version,
    contract: portalServiceContract,
    handlers: {
      ...createAuditHandlers({ database, schema: schemaName, clock }),
      ...createOrganizationHandlers(findOwnOrganization),
      ...createRetentionHandlers(createFindPlansSoFar(db, findOwnPlan), options.settings ?? withoutSettings),
      ...createUsageHandlers({ db, clock, findOwnPlan, ownPlans, ended }),
      ...createPlanHandlers(db, findOwnPlan),
      ...createNotificationHandlers({
        db,
        clock,
        securityService,
        serviceToken,
        findOwnPlan,
        sells: provider !== undefined,
      }),
      ...createContactHandlers({
        db,
        mail,
        authenticate,
        securityService,
        serviceToken,
        contactAddress: options.contactAddress,
      }),
      ...createSandboxMailHandlers(options.mailbox),
      ...createSavedFormHandlers({ db, clock }),
      ...createSubscriptionHandlers(selling, subscriptionCalls, options.isSandbox ?? false),
      ...createPlanChangeHandlers(selling, subscriptionCalls),
      ...createPaymentHandlers(db),
      ...createBillingAddressHandlers({ db, clock }),
      ...createMonthlyNumbersHandlers({ db, clock }),
      ...createOperatedPlanHandlers({ db, clock, truth }),
      ...createOperatedSubscriptionHandlers({
        db,
        clock,
        truth,
        provider,
        names,
      }),
      ...createReconciliationHandlers({ db, clock, names, sells: provider !== undefined }),
      ...createPayPalWebhookHandlers({ db, clock, provider, authenticate, limits: options.webhookLimits }),
      ...createDeliveryHandlers({ db, clock }),
      ...createWaitingWorkHandlers(options.queue, "portal-service", {
        [getEmailQueueName("portal-service")]: mail.oldestSince,
      }),
      ...createMailHandlers({ ...options, db }),
    },
    authenticate,
    log: options.log,
    checkHealth: database.checkHealth,
    checkCapacity: () => database.checkCapacity(),
  });
  const stopChecks =
    provider && truth && options.work
      ? createSubscriptionChecks({ db, clock, truth, provider, log: options.log }).start()
      : undefined;
  const stopReconciliation =
    truth && options.work ? createReconciliation({ db, clock, truth, log: options.log }).start() : undefined;
  const stopPlanChecks = options.work ? startPlanChecks({ db, clock, ownPlans, log: options.log }) : undefined;
  const stopDeliveryRetention = startDeliveryRetention({ db, clock, log: options.log });
  const stopAuditRetention = startAuditRetention({ database, schema: schemaName, clock, log: options.log });
  return {
    app,
    metrics: async () => [...(await publisher.metrics()), ...(await reconciliationMetrics(db))],
    async stop() {
      await ended.stop();
      await stopChecks?.();
      await stopReconciliation?.();
      await stopPlanChecks?.();
      await publisher.stop();
      await stopDeliveryRetention();
      await stopAuditRetention();
      await emails.stop();
      await mail.stop();
    },
  };
}
