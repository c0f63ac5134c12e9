import type { Logger } from "pino";
import type { apiRegistryContract } from "../api-registry/contract/contract.ts";
import type { Connect } from "../kit/client/client.ts";
import type { Clock } from "../kit/clock/clock.ts";
import { type Database, migrateSchema } from "../kit/database/database.ts";
import type { Egress } from "../kit/egress/egress.ts";
import type { Authenticate, IssueServiceToken } from "../kit/identity/identity.ts";
import type { Queue } from "../kit/queue/queue.ts";
import type { RunningService } from "../kit/service/running-service.ts";
import { createService } from "../kit/service/service.ts";
import type { securityServiceContract } from "../security-service/contract/contract.ts";
import type { testAnalyzerContract } from "../test-analyzer/contract/contract.ts";
import type { testRegistryContract } from "../test-registry/contract/contract.ts";
import { testExecutionerContract } from "./contract/contract.ts";
import { createCountHandlers } from "./http/counts.ts";
import { createEventHandlers } from "./http/events.ts";
import { createExecutionHandlers } from "./http/executions.ts";
import { createReceivedEventHandlers } from "./http/received-events.ts";
import { createRequestHandlers } from "./http/requests.ts";
import { createRunHandlers } from "./http/runs.ts";
import { createWaitForEnd } from "./http/waiting.ts";
import { createCredentialLookup } from "./jobs/credential-lookup.ts";
import { declareQueues, executionQueue, startExecutionWorkers } from "./jobs/execution-worker.ts";
import { createJudge } from "./jobs/judging.ts";
import { createOperationLookup } from "./jobs/operation-lookup.ts";
import { Progress } from "./jobs/progress.ts";
import { createResultWriter } from "./jobs/result-writer.ts";
import { Snapshots } from "./jobs/snapshots.ts";
import { migrations } from "./store/migrations.ts";
import { type ExecutionTables, schemaName } from "./store/tables.ts";

export interface TestExecutionerOptions {
  database: Database;
  queue: Queue;
  authenticate: Authenticate;
  log: Logger;
  clock: Clock;
  version: string;
  egress: Egress;
  testRegistry: Connect<typeof testRegistryContract>;
  apiRegistry: Connect<typeof apiRegistryContract>;
  securityService: Connect<typeof securityServiceContract>;
  testAnalyzer: Connect<typeof testAnalyzerContract>;
  serviceToken: IssueServiceToken;
  /** Whether this process runs executions, or only takes them in. */
  work: boolean;
}

/** Runs tests: queues them, sends their requests, has the answers judged and keeps what came of it. */
export async function createTestExecutioner(options: TestExecutionerOptions): Promise<RunningService> {
  const { database, queue, clock, log, egress, apiRegistry, testRegistry, testAnalyzer, serviceToken } = options;
  await migrateSchema(database, schemaName, migrations);
  await declareQueues(queue);
  const db = database.inSchema<ExecutionTables>(schemaName);
  const stopping = new AbortController();
  const progress = new Progress();
  const snapshots = new Snapshots();
  const findOperation = createOperationLookup(apiRegistry, serviceToken);
  const exchange = {
    egress,
    clock,
    openCredentials: createCredentialLookup(options.securityService, serviceToken),
    userAgent: `api-assurance-portal/${options.version}`,
  };
  const workers = options.work
    ? startExecutionWorkers({
        ...exchange,
        findOperation,
        judge: createJudge(testAnalyzer, serviceToken),
        queue,
        snapshots,
        progress,
        writeResult: createResultWriter({
          db,
          queue,
          queueName: executionQueue,
          testAnalyzer,
          serviceToken,
          progress,
          log,
        }),
      })
    : [];
  const waitForEnd = createWaitForEnd(db, progress, stopping.signal);
  const app = createService({
    name: "test-executioner",
    description: "Runs tests and keeps their executions.",
    version: options.version,
    contract: testExecutionerContract,
    handlers: {
      ...createRunHandlers({
        db,
        queue,
        clock,
        testRegistry,
        apiRegistry,
        serviceToken,
        snapshots,
        progress,
        waitForEnd,
      }),
      ...createExecutionHandlers({ db, clock, progress, testAnalyzer, serviceToken }),
      ...createEventHandlers({ db, progress, stopping: stopping.signal }),
      ...createCountHandlers(db),
      ...createReceivedEventHandlers({ db, testAnalyzer, serviceToken }),
      ...createRequestHandlers({ ...exchange, apiRegistry, serviceToken, findOperation }),
    },
    authenticate: options.authenticate,
    log,
    checkHealth: database.checkHealth,
  });
  return {
    app,
    async stop() {
      stopping.abort();
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}
