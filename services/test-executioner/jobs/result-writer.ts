import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { logFailure } from "../../kit/database/database-problem.ts";
import { planByIndex } from "../../kit/database/prepared.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import type { ExecutionEvent } from "../contract/events.ts";
import { isByHand } from "../domain/fair-count.ts";
import type { TellFinished } from "../store/finished-runs.ts";
import { readLastVerdicts } from "../store/last-verdicts.ts";
import { type ExecutionResult, storeResults } from "../store/results.ts";
import type { ExecutionTables } from "../store/tables.ts";
import { Batcher } from "./batcher.ts";
import { countedEvents } from "./counted-events.ts";

export interface WriteRequest {
  result: ExecutionResult;
  isHeld(): boolean;
  /** Not to wait for others. */
  isUrgent: boolean;
}

/** Answers whether the result was written; false when the execution is gone or another worker's. */
export type WriteResult = (request: WriteRequest) => Promise<boolean>;

const mostTries = 3;

interface WriterParts {
  db: Kysely<ExecutionTables>;
  log: Logger;
  publisher: Publisher<ExecutionEvent>;
  tellFinished: TellFinished;
}

/** Stores results in batches: one transaction for everything that ended while the one before was written. */
export function createResultWriter(parts: WriterParts): WriteResult {
  const batcher = new Batcher<WriteRequest, boolean>({
    mostItems: 200,
    weigh: ({ result }) =>
      result.attempts.reduce((sum, { response }) => sum + (response?.body?.length ?? 0) + 2_000, 0),
    mostWeight: 16 * 1_024 * 1_024,
    lingerMilliseconds: 20,
    async run(requests) {
      // A worker that was frozen beyond its lease must not even try: its successor may have written by now.
      const held = requests.filter(({ isHeld }) => isHeld());
      const results = held.map(({ result }) => result);
      const written = results.length > 0 ? await store(parts, results) : new Set<string>();
      return requests.map(({ result }) => written.has(result.execution.id));
    },
  });
  return (request) => batcher.add(request, request.isUrgent);
}

async function store(
  { db, log, publisher, tellFinished }: WriterParts,
  results: ExecutionResult[],
): Promise<Set<string>> {
  for (let number = 1; ; number += 1) {
    try {
      return await db.transaction().execute(async (transaction) => {
        await planByIndex(transaction);
        const byHand = results.flatMap(({ execution }) => (isByHand(execution.trigger) ? [execution] : []));
        const verdictBefore = await readLastVerdicts(transaction, byHand);
        const written = await storeResults(transaction, results, tellFinished);
        const stored = results.filter(({ execution }) => written.has(execution.id));
        await publisher.publish(transaction, countedEvents(stored, verdictBefore));
        return written;
      });
    } catch (error) {
      if (number >= mostTries) throw error;
      logFailure(log, error, "results could not be stored, trying again", { results: results.length });
      await new Promise((resolve) => setTimeout(resolve, 100 * number));
    }
  }
}
