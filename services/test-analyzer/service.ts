import type { Logger } from "pino";
import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { Egress } from "#libraries/egress/egress.ts";
import type { Judging } from "#libraries/judging/judging.ts";
import { createAuditHandlers } from "../kit/audit/audit-handlers.ts";
import { startAuditRetention } from "../kit/audit/audit-retention.ts";
import type { Connect } from "../kit/client/client.ts";
import type { Clock } from "../kit/clock/clock.ts";
import type { Database } from "../kit/database/database.ts";
import { migrateSchema } from "../kit/database/migrate.ts";
import type { Authenticate, IssueServiceToken } from "../kit/identity/identity.ts";
import { createMail, getEmailQueueName } from "../kit/mail/mail.ts";
import type { Delivery } from "../kit/mail/smtp.ts";
import { createEndedOrganizations } from "../kit/organization/ended-organizations.ts";
import type { Queue } from "../kit/queue/queue.ts";
import { createWaitingWorkHandlers } from "../kit/queue/waiting-work.ts";
import type { RunningService } from "../kit/service/running-service.ts";
import { createService } from "../kit/service/service.ts";
import { createVault } from "../kit/vault/vault.ts";
import { createAddressLinks } from "./http/address-links.ts";
import { createAddressHandlers } from "./http/alert-addresses.ts";
import { createChannelHandlers } from "./http/alert-channels.ts";
import { createDeliveryHandlers } from "./http/alert-deliveries.ts";
import { createRuleHandlers } from "./http/alert-rules.ts";
import { createWebhookHandlers } from "./http/alert-webhooks.ts";
import { createCertificateHandlers } from "./http/certificates.ts";
import { createTestAnalyzerPart } from "./http/code/part.ts";
import { createIncidentCommentHandlers } from "./http/incident-comments.ts";
import { createIncidentHandlers } from "./http/incidents.ts";
import { createMarkHandlers } from "./http/marks.ts";
import { createReceivedEventHandlers } from "./http/received-events.ts";
import { createRecoveringTestHandlers } from "./http/recovering-tests.ts";
import { createResourceFinders } from "./http/resource-finders.ts";
import { createServiceLevelHandlers } from "./http/service-levels.ts";
import { createStatusPageHandlers } from "./http/status-pages.ts";
import { createStatusSubscriberHandlers } from "./http/status-subscribers.ts";
import { createSuggestionHandlers } from "./http/suggestions.ts";
import { createSuitePlanHandlers } from "./http/suite-plans.ts";
import { createTrendHandlers } from "./http/trends.ts";
import { createVerificationHandlers } from "./http/verifications.ts";
import { type AlertClockParts, startAlertClock } from "./jobs/alert-clock.ts";
import { type AlertSenderParts, alertQueue, createAlertSender } from "./jobs/alert-sender.ts";
import { createAlerting } from "./jobs/alerting.ts";
import { createBurnWatch } from "./jobs/burn-watch.ts";
import { createCertificateWatch, startCertificateRetention } from "./jobs/certificate-watch.ts";
import { createChannelSecrets } from "./jobs/channel-secrets.ts";
import { createDocumentIncidents } from "./jobs/document-incidents.ts";
import { createIncidentWatch } from "./jobs/incident-watch.ts";
import { createLocationIncidents } from "./jobs/location-incidents.ts";
import { createMeasureLevels } from "./jobs/measure-levels.ts";
import { createPublicUpdates } from "./jobs/public-updates.ts";
import { createPublishedStatus } from "./jobs/published-status.ts";
import { createFindRecoveries } from "./jobs/recoveries.ts";
import { startRetention } from "./jobs/retention.ts";
import { createReadRun } from "./jobs/run-histories.ts";
import { createStatusMail } from "./jobs/status-mail.ts";
import { createUntestedIncidents } from "./jobs/untested-incidents.ts";
import { findOldestQueued } from "./store/alert-deliveries.ts";
import { migrations } from "./store/migrations.ts";
import { type AnalyzerTables, schemaName } from "./store/tables.ts";

export interface TestAnalyzerOptions {
  database: Database;
  authenticate: Authenticate;
  log: Logger;
  clock: Clock;
  version: string;
  apiRegistry: Connect<typeof apiRegistryContract>;
  testExecutioner: Connect<typeof testExecutionerContract>;
  testRegistry: Connect<typeof testRegistryContract>;
  /** For the recipients of mail channels. */
  securityService: Connect<typeof securityServiceContract>;
  /** For calls that only services may make. */
  serviceToken: IssueServiceToken;
  judging: Judging;
  queue: Queue;
  /** Mail transport; undefined when none is configured. */
  delivery: Delivery | undefined;
  egress: Egress;
  /** Seals addresses and signing secrets of channels, and queued emails. */
  secretsKey: string;
  /** Open values that were sealed with earlier keys. */
  previousSecretsKeys?: string[];
  /** Base of links in alerts. */
  portalOrigin(): string;
  /** Whether this process delivers alerts, or only queues them. */
  work: boolean;
  tries?: AlertSenderParts["tries"];
  lookEveryMilliseconds?: AlertClockParts["lookEveryMilliseconds"];
}

/**
 * Judges submitted responses, aggregates executions, and notifies people when something breaks. The executioner stores
 * every fact of an execution; this service stores the decisions based on them.
 */
export async function createTestAnalyzer(options: TestAnalyzerOptions): Promise<RunningService> {
  const { database, clock, apiRegistry, testExecutioner, securityService, serviceToken, log } = options;
  await migrateSchema(database, schemaName, migrations, log);
  const db = database.inSchema<AnalyzerTables>(schemaName);
  const vault = createVault(options.secretsKey, options.previousSecretsKeys);
  const mail = await createMail({ ...options, service: "test-analyzer", schema: schemaName, vault });
  const secrets = createChannelSecrets(vault);
  const sender = await createAlertSender({ ...options, db, mail, secrets });
  const links = createAddressLinks({ ...options, mail });
  const alerting = createAlerting({ clock, sender });
  const watch = createIncidentWatch({ clock, alerting });
  const certificates = createCertificateWatch({ clock, alerting });
  const incidents = createUntestedIncidents({ clock, alerting });
  const documents = createDocumentIncidents({ clock, incidents });
  const locations = createLocationIncidents(incidents);
  const findRecoveries = createFindRecoveries({ ...options, db });
  const finders = createResourceFinders({ ...options, db });
  const measureLevels = createMeasureLevels(options);
  const burns = createBurnWatch({ ...options, db, alerting, measureLevels });
  const statusMail = createStatusMail({ ...options, mail, vault });
  const updates = createPublicUpdates({ clock, statusMail });
  const stopAlertClock = options.work
    ? startAlertClock({ ...options, db, alerting, watch, certificates, burns, updates })
    : undefined;
  const readRun = createReadRun({ db, testExecutioner, serviceToken });
  const stopAuditRetention = startAuditRetention({ database, schema: schemaName, clock, log });
  const stopRetention = options.work ? startRetention({ db, clock, log }) : undefined;
  const stopCertificateRetention = options.work ? startCertificateRetention({ db, clock, log }) : undefined;
  const ended = await createEndedOrganizations({ ...options, schema: schemaName });
  const app = createService({
    name: "test-analyzer",
    clock,
    description:
      "Judges responses by assertions, checks and schemas; coverage, trends and suggested tests; incidents and alerts.",
    version: options.version,
    contract: testAnalyzerContract,
    handlers: {
      ...createAuditHandlers({ database, schema: schemaName, clock }),
      ...createVerificationHandlers(options),
      ...createTrendHandlers({ ...options, db, finders }),
      ...createSuggestionHandlers(apiRegistry),
      ...createSuitePlanHandlers({ apiRegistry, securityService, serviceToken }),
      ...createChannelHandlers({ ...options, db, secrets, sender, links }),
      ...createAddressHandlers({ db, clock, links, securityService, serviceToken }),
      ...createDeliveryHandlers({ db, sender }),
      ...createWebhookHandlers(options),
      ...createRuleHandlers({ ...options, db, finders }),
      ...createIncidentHandlers({ db, clock, alerting, findRecoveries }),
      ...createRecoveringTestHandlers(findRecoveries),
      ...createServiceLevelHandlers({ ...options, db, measureLevels }),
      ...createCertificateHandlers({ db, clock }),
      ...createStatusPageHandlers({
        ...{ ...options, db, updates },
        publishedStatus: createPublishedStatus({ ...options, db }),
      }),
      ...createStatusSubscriberHandlers({ ...options, db, statusMail }),
      ...createTestAnalyzerPart({ ...options, db, secrets, links, updates }).handlers,
      ...createIncidentCommentHandlers({ db, clock }),
      ...createMarkHandlers({ db, clock, apiRegistry, finders }),
      ...createWaitingWorkHandlers(options.queue, "test-analyzer", {
        [getEmailQueueName("test-analyzer")]: mail.oldestSince,
        [alertQueue]: () => findOldestQueued(db),
      }),
      ...createReceivedEventHandlers({ db, clock, watch, certificates, documents, locations, readRun, ended }),
    },
    finders,
    authenticate: options.authenticate,
    log,
    checkHealth: database.checkHealth,
    checkCapacity: () => database.checkCapacity(),
  });
  return {
    app,
    async stop() {
      await ended.stop();
      await stopAlertClock?.();
      await sender.stop();
      await mail.stop();
      await stopAuditRetention();
      await stopRetention?.();
      await stopCertificateRetention?.();
    },
  };
}
