import type { Logger } from "pino";
import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { CircleEvent, TestEvent } from "#contracts/test-registry/events.ts";
import { createAuditHandlers } from "../kit/audit/audit-handlers.ts";
import { startAuditRetention } from "../kit/audit/audit-retention.ts";
import type { Connect } from "../kit/client/client.ts";
import type { Clock } from "../kit/clock/clock.ts";
import type { Database } from "../kit/database/database.ts";
import { migrateSchema } from "../kit/database/migrate.ts";
import { type SharedClock, sharedClockOf } from "../kit/database/shared-clock.ts";
import { startVacuum } from "../kit/database/vacuum.ts";
import type { Consumer } from "../kit/events/consumer.ts";
import { createPublisher } from "../kit/events/publisher.ts";
import type { Authenticate, IssueServiceToken } from "../kit/identity/identity.ts";
import { createEndedOrganizations } from "../kit/organization/ended-organizations.ts";
import { createPlanLedger } from "../kit/plan/plan-ledger.ts";
import type { RunningService } from "../kit/service/running-service.ts";
import { createService } from "../kit/service/service.ts";
import type { Vault } from "../kit/vault/vault.ts";
import { createAffectedTestHandlers } from "./http/affected-tests.ts";
import { createCalendarHandlers } from "./http/calendars.ts";
import { createInspectionHandlers } from "./http/circle-inspection.ts";
import { createCircleReferences } from "./http/circle-references.ts";
import { createCircleTestHandlers } from "./http/circle-tests.ts";
import { createCircleVariables } from "./http/circle-variables.ts";
import { createCircleHandlers } from "./http/circles.ts";
import { createTestRegistryPart } from "./http/code/part.ts";
import { createCodeHandlers } from "./http/code.ts";
import { createCountHandlers } from "./http/counts.ts";
import { createDeletionHandlers } from "./http/deletions.ts";
import { createFileHandlers } from "./http/files.ts";
import { createImportFiles } from "./http/import-files.ts";
import { createImportPlans } from "./http/import-plans.ts";
import { createImportPreviewHandlers } from "./http/import-previews.ts";
import { createReadKnown } from "./http/imported-before.ts";
import { createImportHandlers } from "./http/imports.ts";
import { createMaintenanceWindowHandlers } from "./http/maintenance-windows.ts";
import { createOpenCircles } from "./http/opened-circles.ts";
import { createRequirePlanAllows } from "./http/plan-intervals.ts";
import { createProposalDecisionHandlers } from "./http/proposal-decisions.ts";
import { createProposalHandlers } from "./http/proposals.ts";
import { createRequireApi } from "./http/require-api.ts";
import { createRequireCredentials } from "./http/require-credentials.ts";
import { createResourceFinders } from "./http/resource-finders.ts";
import { createScheduleFence } from "./http/schedule-fence.ts";
import { createScheduleListHandlers } from "./http/schedule-lists.ts";
import { createSchedulePreviewHandlers } from "./http/schedule-previews.ts";
import { createScheduledTimesHandlers } from "./http/scheduled-times.ts";
import { createScheduleHandlers } from "./http/schedules.ts";
import { createSearchHandlers } from "./http/search.ts";
import { createTestBatchHandlers } from "./http/test-batches.ts";
import { createExportHandlers } from "./http/test-exports.ts";
import { createTestHandlers } from "./http/tests.ts";
import { createUpcomingOccurrenceHandlers } from "./http/upcoming-occurrences.ts";
import { type CodeApplicationParts, createCodeApplications } from "./jobs/code-applications.ts";
import { openPartDoors } from "./jobs/code-parts.ts";
import { createImportAttempts } from "./jobs/import-attempts.ts";
import { readScheduleMetrics } from "./jobs/metrics.ts";
import { ReadingThread } from "./jobs/reading-thread.ts";
import { startScheduler } from "./jobs/scheduler.ts";
import { startFileRemoval } from "./jobs/unused-files.ts";
import { migrations } from "./store/migrations.ts";
import { schemaName, type TestTables } from "./store/tables.ts";

export interface TestRegistryOptions {
  database: Database;
  authenticate: Authenticate;
  log: Logger;
  clock: Clock;
  version: string;
  /** Checks that an API is the caller's before a test of it is created. */
  apiRegistry: Connect<typeof apiRegistryContract>;
  /** Starts due schedules, and is informed when one changes. */
  testExecutioner: Connect<typeof testExecutionerContract>;
  /** Owns a part of what files hold. */
  testAnalyzer: Connect<typeof testAnalyzerContract>;
  /** Checks that the reader of a calendar is still a member. */
  securityService: Connect<typeof securityServiceContract>;
  /** Looks up how often an organization's plan lets schedules start. */
  portalService: Connect<typeof portalServiceContract>;
  /** The schedulers' clock; the database's time, unless a test changes it. */
  readTime?: SharedClock;
  serviceToken: IssueServiceToken;
  /** Encrypts secret variables of circles at rest. */
  vault: Vault;
  /** Called before each step of applying files; ends a process there in tests. */
  beforeCodeStep?: CodeApplicationParts["beforeStep"];
  /** Subscribers to events of tests. */
  consumers: Consumer[];
  /** Whether this process delivers events to others, or only records them. */
  work: boolean;
  /** Whether this process starts due schedules. */
  schedule: boolean;
}

/** Stores tests (requests and their expected responses), the circles that group them, and the schedules of those. */
export async function createTestRegistry(options: TestRegistryOptions): Promise<RunningService> {
  const { database, clock, log } = options;
  await migrateSchema(database, schemaName, migrations, log);
  const db = database.inSchema<TestTables>(schemaName);
  const publisher = await createPublisher<TestEvent | CircleEvent>({ ...options, schema: schemaName });
  const stopAuditRetention = startAuditRetention({ database, schema: schemaName, clock, log });
  const requireApi = createRequireApi(options);
  const finders = createResourceFinders({ ...options, db });
  const requireCredentials = createRequireCredentials(options.securityService);
  const locations = createCircleReferences(options);
  const variables = createCircleVariables(options.vault);
  const readTime = options.readTime ?? sharedClockOf(database);
  const openCircles = createOpenCircles({ db, variables, readTime });
  const fence = createScheduleFence({ ...options, db });
  const plans = createPlanLedger({ ...options, db, schema: schemaName, subject: "tests" });
  const ended = await createEndedOrganizations({ ...options, schema: schemaName });
  const thread = new ReadingThread();
  const files = createImportFiles({ ...options, db });
  const readKnown = createReadKnown({ ...options, db });
  const planImport = createImportPlans({ ...options, db, thread, readKnown });
  const attempts = createImportAttempts({ ...options, db, readTime });
  const part = createTestRegistryPart({ ...options, db, publisher, plans, places: locations, variables, fence });
  const doors = openPartDoors({ ...options, own: part });
  const applications = createCodeApplications({ ...options, db, doors, beforeStep: options.beforeCodeStep });
  const wake = () => {
    if (options.work) applications.wake();
  };
  const app = createService({
    name: "test-registry",
    clock,
    description:
      "Tests: one request each with its assertions, checks and captures; circles of them, and the schedules by which those run.",
    version: options.version,
    contract: testRegistryContract,
    handlers: {
      ...createAuditHandlers({ database, schema: schemaName, clock }),
      ...createTestHandlers({ db, clock, requireApi, requireCredentials, publisher, plans }),
      ...createTestBatchHandlers({ db, clock, requireApi, requireCredentials, publisher, plans }),
      ...createProposalHandlers({ ...options, db, requireApi }),
      ...createProposalDecisionHandlers({ db, clock, requireApi, requireCredentials, publisher, plans }),
      ...createExportHandlers({ ...options, db, requireApi }),
      ...createImportPreviewHandlers({ files, planImport }),
      ...createImportHandlers({ ...options, db, files, planImport, attempts, variables, publisher, plans }),
      ...createFileHandlers({ db, clock }),
      ...createSearchHandlers(db),
      ...createDeletionHandlers({ db, clock, requireApi, publisher, plans, ended }),
      ...createCircleHandlers({ db, clock, publisher, places: locations, variables, fence }),
      ...createCircleTestHandlers({ db, openCircles }),
      ...createInspectionHandlers({ db, places: locations, variables }),
      ...createCountHandlers({ db, requireApi, finders }),
      ...createAffectedTestHandlers(db),
      ...createSchedulePreviewHandlers({ db, readTime }),
      ...createScheduleHandlers({ db, readTime, fence, requirePlanAllows: createRequirePlanAllows(plans) }),
      ...createScheduleListHandlers(db),
      ...createScheduledTimesHandlers({ db, readTime }),
      ...createUpcomingOccurrenceHandlers({ db, readTime }),
      ...createCalendarHandlers({ ...options, db, readTime, finders }),
      ...createCodeHandlers({ ...options, db, doors, wake }),
      ...part.handlers,
      ...createMaintenanceWindowHandlers({ db, readTime, places: locations }),
    },
    finders,
    authenticate: options.authenticate,
    log,
    checkHealth: database.checkHealth,
    checkCapacity: () => database.checkCapacity(),
  });
  const stopFileRemoval = options.work ? startFileRemoval({ db, clock, log }) : undefined;
  const stopApplications = options.work ? applications.start() : undefined;
  const stopAttempts = options.work ? attempts.start() : undefined;
  const stopVacuum = startVacuum({ database, schema: schemaName, tables: ["schedules"], log });
  const stopScheduler = options.schedule ? startScheduler({ ...options, db, readTime, plans, openCircles }) : undefined;
  return {
    app,
    metrics: async () => [...(await readScheduleMetrics(db, readTime)), ...(await publisher.metrics())],
    async stop() {
      await ended.stop();
      await thread.stop();
      await stopScheduler?.();
      await stopApplications?.();
      await stopAttempts?.();
      await attempts.stop();
      await stopFileRemoval?.();
      await stopVacuum();
      await publisher.stop();
      await stopAuditRetention();
    },
  };
}
