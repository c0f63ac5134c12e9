import type { Logger } from "pino";
import type { apiRegistryContract } from "../api-registry/contract/contract.ts";
import type { Connect } from "../kit/client/client.ts";
import type { Clock } from "../kit/clock/clock.ts";
import { type Database, migrateSchema } from "../kit/database/database.ts";
import type { Authenticate, IssueServiceToken } from "../kit/identity/identity.ts";
import type { RunningService } from "../kit/service/running-service.ts";
import { createService } from "../kit/service/service.ts";
import type { testExecutionerContract } from "../test-executioner/contract/contract.ts";
import { testAnalyzerContract } from "./contract/contract.ts";
import { createSuggestionHandlers } from "./http/suggestions.ts";
import { createTrendHandlers } from "./http/trends.ts";
import { createVerificationHandlers } from "./http/verifications.ts";
import { migrations } from "./store/migrations.ts";
import { type AnalyzerTables, schemaName } from "./store/tables.ts";
import { createJudging } from "./worker/judge-all.ts";

export interface TestAnalyzerOptions {
  database: Database;
  authenticate: Authenticate;
  log: Logger;
  clock: Clock;
  version: string;
  apiRegistry: Connect<typeof apiRegistryContract>;
  testExecutioner: Connect<typeof testExecutionerContract>;
  /** For calls that only services may make. */
  serviceToken: IssueServiceToken;
}

/** Judges what APIs answer, keeps the verdicts, and says what they add up to. */
export async function createTestAnalyzer(options: TestAnalyzerOptions): Promise<RunningService> {
  const { database, clock, apiRegistry, testExecutioner, serviceToken, log } = options;
  await migrateSchema(database, schemaName, migrations);
  const db = database.inSchema<AnalyzerTables>(schemaName);
  const judging = createJudging();
  const app = createService({
    name: "test-analyzer",
    description: "Judges responses by assertions, checks and schemas; coverage, trends and suggested tests.",
    version: options.version,
    contract: testAnalyzerContract,
    handlers: {
      ...createVerificationHandlers({ db, judging }),
      ...createTrendHandlers({ clock, apiRegistry, testExecutioner, serviceToken }),
      ...createSuggestionHandlers(apiRegistry),
    },
    authenticate: options.authenticate,
    log,
    checkHealth: database.checkHealth,
  });
  return { app, stop: async () => judging.stop() };
}
