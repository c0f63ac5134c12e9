import { z } from "zod";
import type { OperationKey } from "#contracts/api-registry/resources.ts";
import { attempt } from "#contracts/test-executioner/attempts.ts";
import { type Exchange, findSeen, type SeenEdge } from "#libraries/suite/seen/find-seen.ts";

/** A stored execution. */
export interface RecordedExecution {
  operation: OperationKey;
  /** JSON of its attempts. */
  attempts: string;
  isNew: boolean;
}

const attemptsRead = z.array(
  attempt.pick({ startedAt: true, durationMilliseconds: true, request: true, response: true }),
);

/** Finds which operations accepted values of others; see `findSeen`. */
export function findSeenIn(executions: readonly RecordedExecution[]): SeenEdge[] {
  return findSeen(executions.flatMap(listExchanges));
}

function listExchanges({ operation, attempts, isNew }: RecordedExecution): Exchange[] {
  return attemptsRead.parse(JSON.parse(attempts)).flatMap(({ request, response, startedAt, durationMilliseconds }) => {
    if (!request || !response || response.status < 200 || response.status > 299) return [];
    const start = Date.parse(startedAt);
    return [{ operation, isNew, request, response, startedAt: start, endedAt: start + durationMilliseconds }];
  });
}
