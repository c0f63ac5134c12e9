import { setTimeout as pause } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { ExecutionEvent } from "#contracts/test-executioner/events.ts";
import { Batcher } from "../../kit/batcher/batcher.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { databaseProblem, logFailure } from "../../kit/database/database-problem.ts";
import { inPipeline } from "../../kit/database/pipeline.ts";
import { planByIndex } from "../../kit/database/prepared.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import type { ClaimedExecution } from "../store/claims.ts";
import type { PublishFinished } from "../store/finished-runs.ts";
import { giveBack } from "../store/plan-quota.ts";
import { type ExecutionResult, type StoredResults, storeResults } from "../store/results.ts";
import type { ExecutionTables } from "../store/tables.ts";
import { countedEvents, listUncounted } from "./counted-events.ts";
import type { UnchangedResponses } from "./unchanged-responses.ts";

export interface WriteRequest {
  result: ExecutionResult;
  isHeld(): boolean;
  /** Must not wait for others. */
  isUrgent: boolean;
  /** Called with the expected `next` member while the result is being stored; again when storing is retried. */
  onNext?(next: ClaimedExecution): void;
}

export interface Written {
  /** False when the execution was deleted or belongs to another worker. */
  isWritten: boolean;
  /** A waiting member of its run, now claimed. */
  next?: ClaimedExecution;
}

export type WriteResult = (request: WriteRequest) => Promise<Written>;

const mostTries = 3;

interface WriterParts {
  unchanged: UnchangedResponses;
  db: Kysely<ExecutionTables>;
  clock: Clock;
  log: Logger;
  publisher: Publisher<ExecutionEvent>;
  publishFinished: PublishFinished;
}

/** Stores results in batches: one transaction for everything that ended while the previous one was written. */
export function createResultWriter(parts: WriterParts): WriteResult {
  const batcher = new Batcher<WriteRequest, Written>({
    maxItems: 200,
    weigh: ({ result }) =>
      result.attempts.reduce((sum, { response }) => sum + (response?.body?.length ?? 0) + 2_000, 0),
    maxWeight: 16 * 1_024 * 1_024,
    lingerMilliseconds: 20,
    async run(requests) {
      const stored = await store(parts, requests, (sofar) => {
        for (const [index, { next }] of distribute(requests, sofar).entries())
          if (next) requests[index]!.onNext?.(next);
      });
      return distribute(requests, stored);
    },
  });
  return (request) => batcher.add(request, request.isUrgent);
}

/** Assigns claimed members to the workers that continue with their runs, in the order of the members. */
function distribute(
  requests: WriteRequest[],
  { written, handed }: Pick<StoredResults, "written" | "handed">,
): Written[] {
  const inOrder = [...handed].sort((one, other) => one.position - other.position);
  return requests.map(({ result: { execution, taking } }) => {
    const isWritten = written.has(execution.id);
    const index = isWritten && taking ? inOrder.findIndex(({ run_id }) => run_id === execution.run_id) : -1;
    return { isWritten, next: inOrder.splice(index, index < 0 ? 0 : 1)[0] };
  });
}

const nothing = { written: new Set<string>(), handed: [] };

async function store(
  { db, clock, log, publisher, publishFinished: tellFinished, unchanged }: WriterParts,
  requests: WriteRequest[],
  onHanded: Parameters<typeof storeResults>[4],
): Promise<Pick<StoredResults, "written" | "handed">> {
  for (let number = 1; ; number += 1) {
    // A worker that was frozen beyond its lease must not even try: its successor may have written by now.
    const results = requests
      .filter(({ isHeld }) => isHeld())
      .map(({ result }) => ({ ...result, unchangedSince: unchanged.compare(result) }));
    if (results.length === 0) return nothing;
    try {
      const stored = await inPipeline(db, async (pipeline) => {
        const [, stored] = await Promise.all([
          planByIndex(pipeline),
          storeResults(pipeline, results, clock.now(), tellFinished, onHanded),
        ]);
        const counted = results.filter(({ execution }) => stored.written.has(execution.id));
        const telling = publisher.publish(pipeline, countedEvents(counted));
        const correcting = giveBack(pipeline, listUncounted(counted));
        return { ...stored, last: [...stored.last, telling, correcting] };
      });
      unchanged.note(results.filter(({ execution }) => stored.written.has(execution.id)));
      return stored;
    } catch (error) {
      // Waits for an unavailable database while the lease lasts: otherwise the request would be sent again.
      if (number >= mostTries && databaseProblem(error)?.code !== "service_unavailable") throw error;
      logFailure(log, error, "results could not be stored, trying again", { results: results.length });
      await pause(Math.min(100 * number, 1_000));
    }
  }
}
