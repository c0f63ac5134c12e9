import type { ReceivedEvent } from "#contracts/test-analyzer/received-events.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { Batcher } from "../../kit/batcher/batcher.ts";
import { type Connect, requireValue } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { lookAtBurn } from "../store/service-levels.ts";
import type { AnalyzerDatabase } from "../store/tables.ts";
import { listAilingTests, type RunPlace } from "../store/watched-tests.ts";
import type { HeardRun } from "./incident-watch.ts";

type RunFinished = Extract<ReceivedEvent, { type: "run.finished" }>;

/** How the tests of a run fared; null where there is nothing to decide. */
export type ReadRun = (event: RunFinished) => Promise<HeardRun | null>;

/**
 * The event is a hint, what the executioner has is the truth: it tells the last results of each test, in their order,
 * so that it makes no difference in which order runs are told of, or how often.
 */
export function createReadRun(parts: {
  db: AnalyzerDatabase;
  testExecutioner: Connect<typeof testExecutionerContract>;
  serviceToken: IssueServiceToken;
}): ReadRun {
  // Runs are told of in waves: what is asked of all is asked in one statement.
  const ailing = new Batcher({
    maxItems: 50,
    lingerMilliseconds: 0,
    run: (places: RunPlace[]) => listAilingTests(parts.db, places),
  });
  return async ({ organizationId, id, payload: { runId, testCircleId, apiIds, verdict, finishedAt } }) => {
    const askedIds = await ailing.add({ organizationId, testCircleId, apiIds }, true);
    const isGood = verdict === null || verdict === "passed" || verdict === "flaky" || verdict === "skipped";
    // Most runs: all is well, and was before.
    if (isGood && askedIds.length === 0) return null;
    if (!isGood && testCircleId) await lookAtBurn(parts.db, { organizationId, testCircleId, at: new Date(finishedAt) });
    const executioner = parts.testExecutioner({ token: await parts.serviceToken(organizationId), requestId: id });
    const answer = await executioner.readHistories({ params: { runId }, body: { testIds: askedIds.slice(0, 5_000) } });
    // Deleted meanwhile.
    if (answer.status === 404) return null;
    return { ...requireValue(answer, "histories"), runId, askedIds };
  };
}
