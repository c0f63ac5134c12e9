import type { Logger } from "pino";
import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { ExecutionEvent } from "#contracts/test-executioner/events.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { ExplainingEgress } from "#libraries/egress/egress.ts";
import type { Judging } from "#libraries/judging/judging.ts";
import { explore } from "#libraries/suite/exploration/explore.ts";
import type { Explore } from "#libraries/suite/exploration/exploring.ts";
import { createAuditHandlers } from "../kit/audit/audit-handlers.ts";
import { startAuditRetention } from "../kit/audit/audit-retention.ts";
import type { Connect } from "../kit/client/client.ts";
import type { Clock } from "../kit/clock/clock.ts";
import type { Database } from "../kit/database/database.ts";
import { migrateSchema } from "../kit/database/migrate.ts";
import type { Consumer } from "../kit/events/consumer.ts";
import { createPublisher } from "../kit/events/publisher.ts";
import type { Authenticate, IssueServiceToken } from "../kit/identity/identity.ts";
import type { Offers } from "../kit/nats/offers.ts";
import { createEndedOrganizations } from "../kit/organization/ended-organizations.ts";
import { createPlans } from "../kit/plan/plan-ledger.ts";
import type { RunningService } from "../kit/service/running-service.ts";
import { createService } from "../kit/service/service.ts";
import type { Settings } from "../kit/settings/settings.ts";
import type { Vault } from "../kit/vault/vault.ts";
import type { EnvironmentSecrets } from "./domain/environment-secrets.ts";
import { createAgentSide } from "./http/agent-side.ts";
import { createRequireApi } from "./http/apis.ts";
import { createCircleExecutionHandlers } from "./http/circle-executions.ts";
import { createCircleStatusHandlers } from "./http/circle-statuses.ts";
import { createComparisonHandlers } from "./http/comparisons.ts";
import { createCountHandlers } from "./http/counts.ts";
import { createCredentialTryHandlers } from "./http/credential-tries.ts";
import { createEventHandlers } from "./http/events.ts";
import { createExecutionComparisonHandlers } from "./http/execution-comparisons.ts";
import { createExecutionHandlers } from "./http/executions.ts";
import { createExplorationHandlers } from "./http/explorations.ts";
import { createFailingTestHandlers } from "./http/failing-tests.ts";
import { createHistoryHandlers } from "./http/histories.ts";
import { createNoticesHandlers } from "./http/notices.ts";
import { createOccurrenceHandlers } from "./http/occurrences.ts";
import { createReceivedEventHandlers } from "./http/received-events.ts";
import { createRecountHandlers } from "./http/recounts.ts";
import { createRepetitionHandlers } from "./http/repetitions.ts";
import { createReportHandlers } from "./http/reports.ts";
import { createRequestHandlers } from "./http/requests.ts";
import { createRequireOwners } from "./http/required-owners.ts";
import { createResourceFinders } from "./http/resource-finders.ts";
import { createRunEventHandlers } from "./http/run-events.ts";
import { createRunFailureHandlers } from "./http/run-failures.ts";
import { createRunPlaceHandlers } from "./http/run-places.ts";
import { createRunHandlers } from "./http/runs.ts";
import { createScheduleFenceHandlers } from "./http/schedule-fences.ts";
import { createStartingHandlers } from "./http/starting-calls.ts";
import { createStartingParts } from "./http/starting-parts.ts";
import { createSystemHandlers } from "./http/system.ts";
import { createWaitForEnd } from "./http/waiting.ts";
import { createCircleMetrics } from "./jobs/circle-metrics.ts";
import { startDueDeletions } from "./jobs/due-deletions.ts";
import { ExecutionWorker, type WorkerOptions } from "./jobs/execution-worker.ts";
import { startExploring } from "./jobs/exploring.ts";
import { createChangeFeed, createEndFeed } from "./jobs/feeds.ts";
import { keepHouse } from "./jobs/housekeeping.ts";
import { MeasuringThread } from "./jobs/measuring-thread.ts";
import { createExecutionMetrics } from "./jobs/metrics.ts";
import { startNoticing } from "./jobs/noticing.ts";
import { offerWork } from "./jobs/offered-work.ts";
import { createFindRetention } from "./jobs/plan-retention.ts";
import { createPublishFinished } from "./jobs/publish-finished.ts";
import { createPublishSkipped } from "./jobs/publish-skipped.ts";
import { createResultWriter } from "./jobs/result-writer.ts";
import { startRetention } from "./jobs/retention.ts";
import type { RunTelemetry } from "./jobs/run-telemetry.ts";
import { createRunningParts } from "./jobs/running-parts.ts";
import { createSeenCertificates } from "./jobs/seen-certificates.ts";
import { startSeenDependencies } from "./jobs/seen-dependencies.ts";
import { Snapshots } from "./jobs/snapshots.ts";
import { UnchangedResponses } from "./jobs/unchanged-responses.ts";
import { startWaitingOccurrences } from "./jobs/waiting-occurrences.ts";
import { workChannel } from "./store/changes.ts";
import { endAllLeases } from "./store/claims.ts";
import { deleteEndedOfOrganization } from "./store/deletions.ts";
import { migrations } from "./store/migrations.ts";
import { type ExecutionTables, schemaName } from "./store/tables.ts";

export interface TestExecutionerOptions extends WorkerOptions {
  database: Database;
  authenticate: Authenticate;
  log: Logger;
  clock: Clock;
  version: string;
  egress: ExplainingEgress;
  testRegistry: Connect<typeof testRegistryContract>;
  apiRegistry: Connect<typeof apiRegistryContract>;
  securityService: Connect<typeof securityServiceContract>;
  /** Knows how long an organization's plan retains executions. */
  portalService: Connect<typeof portalServiceContract>;
  serviceToken: IssueServiceToken;
  judging: Judging;
  /** Possible consumers of execution events. */
  consumers: Consumer[];
  /** The library's if undefined. */
  explore?: Explore | undefined;
  /** Operators' settings; defaults if undefined. */
  settings?: Settings;
  /** Secrets of credentials in this process's environment; none if undefined. */
  environmentSecrets?: EnvironmentSecrets | undefined;
  /** Export of what this process ends, if any. */
  telemetry?: RunTelemetry | undefined;
  /** How many circles have metrics of their own; none if undefined. */
  maxMeasuredCircles?: number;
  /** Seals secret captures at rest. */
  vault: Vault;
  /** Offers of work by NATS; none if undefined. */
  offers?: Offers | undefined;
  /** Whether this process runs executions or only accepts them. */
  work: boolean;
  /** Whether this process starts occurrences that waited for another run. */
  schedule: boolean;
}

/** Runs tests: queues them, sends their requests, judges the responses and stores the results. */
export async function createTestExecutioner(options: TestExecutionerOptions): Promise<RunningService> {
  const { database, clock, log, egress, apiRegistry, testRegistry, judging, serviceToken } = options;
  await migrateSchema(database, schemaName, migrations, log);
  const db = database.inSchema<ExecutionTables>(schemaName);
  const housekeeping = await keepHouse({ database, db, clock, log });
  const publisher = await createPublisher<ExecutionEvent>({ ...options, schema: schemaName });
  const circleMetrics = createCircleMetrics({ db, clock, maxCircles: options.maxMeasuredCircles ?? 0 });
  const { telemetry } = options;
  const publishFinished = createPublishFinished(publisher, [
    circleMetrics.count,
    ...(telemetry ? [telemetry.runsEnded] : []),
  ]);
  const publishSkipped = createPublishSkipped(publisher, clock);
  const certificates = createSeenCertificates({ db, publisher, log });
  const stopping = new AbortController();
  const changeFeed = createChangeFeed();
  await changeFeed.listen(database.subscribe);
  const endFeed = createEndFeed();
  await endFeed.listen(database.subscribe);
  const snapshots = new Snapshots(log);
  const { sending, running, openAtOnce, openForAgents, openForVaults } = createRunningParts({
    ...options,
    db,
    noteCertificate: certificates.note,
  });
  const { seal, hiding, findOperation, readApiSecrets } = running;
  if (database.engine === "pglite") await endAllLeases(db);
  const metrics = createExecutionMetrics({ db, clock, telemetry });
  const unchanged = new UnchangedResponses(() => sending.settings.current().passedBodiesEvery, clock);
  const writeResult = metrics.counting(createResultWriter({ db, clock, log, publisher, publishFinished, unchanged }));
  const requireApi = createRequireApi({ apiRegistry, serviceToken });
  const worker = options.work
    ? new ExecutionWorker(
        { ...running, ...{ db, log, snapshots, writeResult, publishFinished, offers: options.offers } },
        options,
      )
    : undefined;
  const stopRetention = options.work
    ? startRetention({ db, clock, log, findRetention: createFindRetention(options) })
    : undefined;
  const stopDeletions = options.work ? startDueDeletions({ db, clock, log, publishFinished }) : undefined;
  const stopSeenDependencies = options.work ? startSeenDependencies({ db, clock, log, publisher }) : undefined;
  const measuring = { db, clock, log, findOperation, thread: new MeasuringThread() };
  const stopNoticing = options.work ? startNoticing(measuring) : undefined;
  const stopAuditRetention = startAuditRetention({ database, schema: schemaName, clock, log });
  const { offers } = options;
  const stopListening = await database.subscribe(workChannel, (payload) => {
    if (offers?.isConnected && payload) offerWork(offers, payload);
    else worker?.wake();
  });
  const plans = createPlans({ ...options, db, schema: schemaName });
  const stopExploring = options.work
    ? startExploring({
        ...sending,
        ...{ db, log, judging, hiding, findOperation, requireApi, apiRegistry, serviceToken, readApiSecrets },
        explore: options.explore ?? explore,
      })
    : undefined;
  const owners = createRequireOwners({ testRegistry, serviceToken });
  const { startRun, startSource, startPreparing, startPlanning } = createStartingParts({
    ...{ db, clock, log, plans, testRegistry, serviceToken, requireApi, seal, snapshots },
  });
  const agents = await createAgentSide({
    reporting: { publisher, testRegistry, serviceToken, requireApi },
    ...{ database, db, clock, log, version: options.version, work: options.work },
    ...{ running, snapshots, writeResult, publishFinished, offers: options.offers },
    ...{ openCredentials: openForAgents, openForVaults },
    starting: { startPlanning, startPreparing },
  });
  const stopWaiting = options.schedule
    ? startWaitingOccurrences({ db, clock, startPreparing, publishSkipped, log })
    : undefined;
  const waitForEnd = createWaitForEnd(db, endFeed, stopping.signal);
  const reports = createReportHandlers({ db, version: options.version });
  const runs = {
    ...createRunHandlers({ db, clock, startSource, publishFinished, waitForEnd, reportRun: reports.reportRun }),
    ...createRunEventHandlers({ db, changeFeed, stopping: stopping.signal }),
    ...reports,
  };
  const ended = await createEndedOrganizations({
    ...options,
    schema: schemaName,
    async prepare(organizationId, stopping) {
      await deleteEndedOfOrganization(db, organizationId, stopping);
      return [];
    },
  });
  const app = createService({
    name: "test-executioner",
    clock,
    description: "Runs tests and keeps their executions.",
    version: options.version,
    contract: testExecutionerContract,
    handlers: {
      ...createAuditHandlers({ database, schema: schemaName, clock }),
      ...runs,
      ...createCircleExecutionHandlers({ db, startSource, waitForEnd, runs, ...owners }),
      ...createCircleStatusHandlers(db),
      ...createComparisonHandlers(db),
      ...createExecutionComparisonHandlers(db),
      ...createRunFailureHandlers(db),
      ...createRunPlaceHandlers(db),
      ...createRepetitionHandlers(db),
      ...createStartingHandlers({ db, testRegistry, requireApi, startRun, waitForEnd }),
      ...createExecutionHandlers({ db, clock, requireApi, publishFinished, ...owners }),
      ...createEventHandlers({ db, requireApi, changeFeed, stopping: stopping.signal }),
      ...createCountHandlers(db),
      ...createSystemHandlers({ db, clock, egress }),
      ...createRecountHandlers({ db, publishFinished }),
      ...createFailingTestHandlers(db),
      ...createHistoryHandlers(db),
      ...createExplorationHandlers({ db, clock, requireApi, plans, stopping: stopping.signal }),
      ...createNoticesHandlers({ ...measuring, requireApi, requireTest: owners.requireTest }),
      ...createReceivedEventHandlers({ db, clock, publishFinished, plans, ended }),
      ...agents.handlers,
      ...createOccurrenceHandlers({ db, clock, startPreparing, publishSkipped }),
      ...createScheduleFenceHandlers({ db, clock }),
      ...createRequestHandlers({ ...sending, requireApi, findOperation, hiding, readApiSecrets }),
      ...createCredentialTryHandlers({ ...sending, openCredentials: openAtOnce, hiding }),
    },
    finders: createResourceFinders({ ...options, db }),
    authenticate: options.authenticate,
    identifyAgent: agents.identifyAgent,
    log,
    checkHealth: database.checkHealth,
    checkCapacity: () => database.checkCapacity(),
  });
  return {
    app,
    metrics: async () => [
      ...(await metrics.families()),
      ...(await circleMetrics.families()),
      ...(await publisher.metrics()),
    ],
    async stop() {
      await ended.stop();
      stopping.abort();
      await agents.stop();
      stopListening();
      await stopWaiting?.();
      changeFeed.stop();
      endFeed.stop();
      await Promise.all([worker?.stop(), stopExploring?.()]);
      hiding.stop();
      await certificates.settle();
      await stopSeenDependencies?.();
      await stopNoticing?.();
      await measuring.thread.stop();
      await publisher.stop();
      await stopRetention?.();
      await stopDeletions?.();
      await stopAuditRetention();
      await housekeeping.stop();
    },
  };
}
