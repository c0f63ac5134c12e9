import type { Logger } from "pino";
import type { apiRegistryContract } from "../api-registry/contract/contract.ts";
import type { Connect } from "../kit/client/client.ts";
import type { Clock } from "../kit/clock/clock.ts";
import type { Authenticate, IssueServiceToken } from "../kit/identity/identity.ts";
import type { RunningService } from "../kit/service/running-service.ts";
import { createService } from "../kit/service/service.ts";
import type { testExecutionerContract } from "../test-executioner/contract/contract.ts";
import { testAnalyzerContract } from "./contract/contract.ts";
import { createSuggestionHandlers } from "./http/suggestions.ts";
import { createTrendHandlers } from "./http/trends.ts";
import { createVerificationHandlers } from "./http/verifications.ts";
import { createJudging } from "./worker/judge-all.ts";

export interface TestAnalyzerOptions {
  authenticate: Authenticate;
  log: Logger;
  clock: Clock;
  version: string;
  apiRegistry: Connect<typeof apiRegistryContract>;
  testExecutioner: Connect<typeof testExecutionerContract>;
  /** For calls that only services may make. */
  serviceToken: IssueServiceToken;
}

/** Judges what APIs answer and says what it adds up to. Nothing is stored here: the executioner keeps it. */
export async function createTestAnalyzer(options: TestAnalyzerOptions): Promise<RunningService> {
  const { clock, apiRegistry, testExecutioner, serviceToken, log } = options;
  const judging = createJudging();
  const app = createService({
    name: "test-analyzer",
    clock,
    description: "Judges responses by assertions, checks and schemas; coverage, trends and suggested tests.",
    version: options.version,
    contract: testAnalyzerContract,
    handlers: {
      ...createVerificationHandlers({ judging, testExecutioner, serviceToken }),
      ...createTrendHandlers({ clock, apiRegistry, testExecutioner, serviceToken }),
      ...createSuggestionHandlers(apiRegistry),
    },
    authenticate: options.authenticate,
    log,
    checkHealth: async () => {},
  });
  return { app, stop: async () => judging.stop() };
}
