import { z } from "@hono/zod-openapi";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { verification } from "#contracts/test-analyzer/verifications.ts";
import { attempt, type ReceivedResponse } from "#contracts/test-executioner/attempts.ts";
import type { NoticesState } from "#contracts/test-executioner/notices.ts";
import type { Test, TestInput } from "#contracts/test-registry/tests.ts";
import { findNotices, type NoticeOptions, type NoticesInput } from "#libraries/suite/notices/find-notices.ts";
import { chooseDefinition, fillFromVerification, listSentValues } from "../domain/judged-again.ts";
import { type Findings, noFindings } from "../store/test-notices.ts";

/** A passed execution, as stored. */
export interface StoredPass {
  /** JSON, as are `verifications` and those of earlier executions. */
  attempts: string;
  verifications: string;
  /** Of earlier passed executions, newest first. */
  earlier: readonly string[];
  /** The test as it was executed, and as it is; undefined where that is not known. */
  executed: Test;
  current: Test | undefined;
  /** Judged instead of both, whatever it would send: a draft for the same operation. */
  proposed?: TestInput;
  operation: OperationWithComponents | undefined;
}

export interface StoredNotices extends Findings {
  state: Exclude<NoticesState, "never_passed">;
  /** Earlier responses that it was compared with. */
  compared: number;
}

const attemptsRead = z.array(attempt);
const verificationsRead = z.array(verification);

/** What the test would notice in the response of a passed execution. */
export function findStoredNotices(stored: StoredPass, options: NoticeOptions): StoredNotices {
  const { executed } = stored;
  const test = stored.proposed ? { ...executed, ...stored.proposed } : chooseDefinition(executed, stored.current);
  const last = attemptsRead.parse(JSON.parse(stored.attempts)).at(-1);
  const earlier = stored.earlier.flatMap((text) => attemptsRead.parse(JSON.parse(text)).at(-1)?.response ?? []);
  const none = (state: StoredNotices["state"]) => ({ state, testVersion: test.version, compared, ...noFindings });
  const comparable = earlier.filter(({ status }) => status === last?.response?.status && !isCut(last.response));
  const compared = comparable.length;
  if (!last?.request || !last.response || !last.phases) return none("not_stored");
  const { request, response, phases } = last;
  if (isCut(response)) return none("body_cut");
  const verifications = verificationsRead.parse(JSON.parse(stored.verifications));
  const filled = test.assertions.flatMap((one) => fillFromVerification(one, executed, verifications) ?? []);
  const input: NoticesInput = {
    recorded: {
      ...{ request, response, phases },
      receivedAt: new Date(Date.parse(last.startedAt) + last.durationMilliseconds).toISOString(),
      ...{ assertions: filled, checks: test.checks },
      ...(test.maximumResponseMilliseconds === undefined
        ? {}
        : { maximumResponseMilliseconds: test.maximumResponseMilliseconds }),
      // The check is skipped only where the request carried credentials, or none are documented.
      authorized: verifications.some(({ source, outcome }) => source === "ignored_auth" && outcome === "skipped"),
    },
    operation: stored.operation,
    earlier: comparable,
    sent: listSentValues(stored.proposed ? test : executed, request),
  };
  const found = findNotices(input, options);
  if (!found) return none("not_judged");
  return {
    ...{ state: "found", testVersion: test.version, compared },
    noticedChanges: found.noticed,
    missedChanges: found.misses,
    leftOut: found.leftOut,
    setAside: found.setAside + test.assertions.length - filled.length,
  };
}

function isCut({ keptBytes, truncated }: ReceivedResponse): boolean {
  return keptBytes !== undefined || truncated;
}
