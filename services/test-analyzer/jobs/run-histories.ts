import type { ReceivedEvent } from "#contracts/test-analyzer/received-events.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { Batcher } from "../../kit/batcher/batcher.ts";
import { type Connect, requireValue } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { lookAtBurn } from "../store/service-levels.ts";
import type { AnalyzerDatabase } from "../store/tables.ts";
import { listAilingTests, type RunScope } from "../store/watched-tests.ts";
import type { HeardRun } from "./incident-watch.ts";

type RunFinished = Extract<ReceivedEvent, { type: "run.finished" }>;

/** The test results of a run; null when there is nothing to decide. */
export type ReadRun = (event: RunFinished) => Promise<HeardRun | null>;

/**
 * The event is only a hint; the executioner's results are authoritative. It returns the last results of each test in
 * order, so that neither the order of events nor repeated ones make a difference.
 */
export function createReadRun(parts: {
  db: AnalyzerDatabase;
  testExecutioner: Connect<typeof testExecutionerContract>;
  serviceToken: IssueServiceToken;
}): ReadRun {
  // Events arrive in bursts: one statement serves all of a burst.
  const ailing = new Batcher({
    maxItems: 50,
    lingerMilliseconds: 0,
    run: (locations: RunScope[]) => listAilingTests(parts.db, locations),
  });
  return async ({ organizationId, id, payload: { runId, testCircleId, apiIds, trigger, verdict, finishedAt } }) => {
    const { here, inIncidents } = await ailing.add({ organizationId, testCircleId, apiIds }, true);
    const askedIds = [...new Set([...here, ...inIncidents])];
    const isGood = verdict === null || ["passed", "flaky", "regional", "skipped"].includes(verdict);
    // The usual case: the run is good, and no test failed before.
    if (isGood && askedIds.length === 0) return null;
    if (!isGood && testCircleId) await lookAtBurn(parts.db, { organizationId, testCircleId, at: new Date(finishedAt) });
    const executioner = parts.testExecutioner({ token: await parts.serviceToken(organizationId), requestId: id });
    const result = await executioner.readHistories({ params: { runId }, body: { testIds: askedIds.slice(0, 5_000) } });
    // Deleted meanwhile.
    if (result.status === 404) return null;
    const byHand = trigger === "manual" || trigger === "rerun";
    return { ...requireValue(result, "histories"), runId, byHand, finishedAt, requestedIds: here };
  };
}
