import type { Logger } from "pino";
import type { ExecutionEvent } from "#contracts/test-executioner/events.ts";
import type { SeenEdge } from "#libraries/suite/seen/find-seen.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import {
  claimLooks,
  type Look,
  listEarlierRunIds,
  listSuccessful,
  reachRuns,
  readAttempts,
  type SuccessfulExecution,
  settleLook,
} from "../store/looked-at-runs.ts";
import type { ExecutionDatabase } from "../store/tables.ts";
import { createSeenValues, type SeenValues } from "./seen-values.ts";

export interface SeenDependencyParts {
  db: ExecutionDatabase;
  clock: Clock;
  log: Logger;
  publisher: Pick<Publisher<ExecutionEvent>, "publish">;
}

const everyMilliseconds = 30_000;
const organizationsOfTurn = 20;
const executionsOfLook = 400;
/** Of each API, from before: values may be accepted in a later run. */
const earlier = { runs: 20, executions: 100, bytes: 2 * 1_024 * 1_024 };
const bytesOfLook = 8 * 1_024 * 1_024;

/**
 * Looks once at what finished runs of some organizations received and sent, and publishes which operations accepted
 * values of others. Each execution counts once.
 */
export async function lookAtRuns(
  parts: SeenDependencyParts & { values: SeenValues },
  stopping: AbortSignal,
): Promise<void> {
  const { db, clock } = parts;
  for (const look of await claimLooks(db, clock.now(), organizationsOfTurn)) {
    if (stopping.aborted) return;
    await lookAt(parts, look);
  }
}

async function lookAt({ db, clock, log, publisher, values }: SeenDependencyParts & { values: SeenValues }, look: Look) {
  const { organizationId } = look;
  const now = clock.now();
  const reached = await reachRuns(db, look, now, executionsOfLook);
  const executions = await listSuccessful(db, organizationId, reached.runIds, executionsOfLook);
  const events: Parameters<typeof publisher.publish>[1] = [];
  for (const [apiId, own] of groupByApi(executions)) {
    const dependencies = await find(apiId, own, reached.runIds[0]!);
    if (dependencies.length === 0) continue;
    events.push({ type: "dependencies.seen", organizationId, payload: { apiId, dependencies } });
  }
  await db.transaction().execute(async (transaction) => {
    const isOurs = await settleLook(transaction, look, reached, now);
    if (isOurs && events.length > 0) await publisher.publish(transaction, events);
  });

  async function find(apiId: string, own: SuccessfulExecution[], before: string): Promise<SeenEdge[]> {
    const earlierRuns = await listEarlierRunIds(db, { organizationId, apiId, before }, earlier.runs);
    const others = await listSuccessful(db, organizationId, earlierRuns, earlier.executions);
    const [texts, earlierTexts] = [await read(own, bytesOfLook), await read(others, earlier.bytes)];
    const toRecorded = (texts: ReadonlyMap<string, string>, isNew: boolean) => (execution: SuccessfulExecution) => {
      const { id, method, path } = execution;
      const attempts = texts.get(id);
      return attempts === undefined ? [] : [{ operation: { method, path }, attempts, isNew }];
    };
    const recorded = [...others.flatMap(toRecorded(earlierTexts, false)), ...own.flatMap(toRecorded(texts, true))];
    try {
      return await values.find(recorded);
    } catch (error) {
      // Reading it again would fail again, so it is not retried.
      log.error({ err: error, apiId }, "dependencies could not be found in recorded responses");
      return [];
    }
  }

  function read(executions: SuccessfulExecution[], maxBytes: number) {
    const ids = executions.map(({ id }) => id);
    return readAttempts(db, organizationId, ids, maxBytes);
  }
}

/** In the order of their ids, which is that of their starts. */
function groupByApi(executions: SuccessfulExecution[]): Map<string, SuccessfulExecution[]> {
  const groups = new Map<string, SuccessfulExecution[]>();
  for (const execution of executions.toReversed()) {
    groups.set(execution.api_id, [...(groups.get(execution.api_id) ?? []), execution]);
  }
  return groups;
}

/**
 * Finds dependencies in recorded responses, twice a minute.
 * @returns ends it, after the current organization
 */
export function startSeenDependencies(parts: SeenDependencyParts): () => Promise<void> {
  const values = createSeenValues();
  return startPeriodicJob({
    intervalMilliseconds: everyMilliseconds,
    async work(stopping) {
      try {
        await lookAtRuns({ ...parts, values }, stopping);
      } finally {
        await values.rest();
      }
    },
    failure: "recorded responses could not be looked at for dependencies",
    log: parts.log,
  });
}
