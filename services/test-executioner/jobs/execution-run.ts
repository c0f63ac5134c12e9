import type { OperationWithComponents } from "../../api-registry/contract/operations.ts";
import type { Verification } from "../../test-analyzer/contract/verifications.ts";
import type { Test } from "../../test-registry/contract/tests.ts";
import type { Attempt } from "../contract/executions.ts";
import { needsOperation } from "../domain/operation-need.ts";
import type { Redactor } from "../domain/redaction.ts";
import { pauseBeforeNextAttempt } from "../domain/retry.ts";
import type { Filler } from "../domain/variables.ts";
import { concludeVerdict, isWorthRetrying } from "../domain/verdict.ts";
import type { ExecutionResult } from "../store/results.ts";
import {
  createFiller,
  type Exchanged,
  type ExchangeParts,
  Interrupted,
  type PreparedRequest,
  prepareRequest,
  redactReceived,
  sendPrepared,
} from "./exchange.ts";
import type { Judge } from "./judging.ts";
import type { FindOperation } from "./operation-lookup.ts";
import type { ExecutionTask } from "./snapshots.ts";

export interface RunParts extends ExchangeParts {
  findOperation: FindOperation;
  judge: Judge;
}

export interface RunOutcome {
  result: ExecutionResult;
  /** Of the last attempt that was answered, secrets replaced. */
  verifications: Verification[];
}

/**
 * Runs one execution to its end: builds the request, sends it, has it judged, and tries again as the test asks.
 * A test with rows is one execution a row: each has its own verdict and history, as people know it from collection
 * runners, and one row's failure stops no other.
 * @throws Interrupted when the process stops meanwhile; anything else thrown is our fault and tried again by the queue
 */
export async function runExecution(parts: RunParts, task: ExecutionTask, signal: AbortSignal): Promise<RunOutcome> {
  const { execution, test, facts } = task;
  const row = execution.row_index === null ? undefined : test.data?.[execution.row_index];
  const filler = createFiller((name) => row?.[name] ?? facts.variables[name], parts.clock);
  const operation = needsOperation(test)
    ? await parts.findOperation({
        organizationId: execution.organization_id,
        apiId: execution.api_id,
        documentId: facts.documentId,
        method: test.method,
        path: test.path,
      })
    : undefined;
  const built = await prepareRequest(parts, {
    organizationId: execution.organization_id,
    method: test.method,
    path: test.path,
    request: test.request,
    baseUrls: [test.request.baseUrl, ...facts.baseUrls],
    operation,
    filler,
  });
  const attempts: Attempt[] = [];
  let verifications: Verification[] = [];
  let last: Exchanged | undefined;
  if (!built.ok) {
    attempts.push({
      number: 1,
      startedAt: parts.clock.now().toISOString(),
      durationMilliseconds: 0,
      request: null,
      response: null,
      phases: null,
      verdict: "errored",
      cause: built.cause,
    });
  } else {
    for (let number = 1; ; number += 1) {
      last = await sendPrepared(parts, built.prepared, test.timeoutMilliseconds, signal);
      const tried = await judgeAttempt(parts, task, { prepared: built.prepared, exchanged: last, operation, filler });
      const attempt = { number, ...tried.attempt };
      attempts.push(attempt);
      verifications = tried.verifications;
      if (number >= test.retry.attempts || !isWorthRetrying(attempt)) break;
      const answered = last.outcome === "answered" ? last.received : undefined;
      await pause(pauseBeforeNextAttempt({ ...test, attemptNumber: number, now: parts.clock.now(), answered }), signal);
    }
  }
  const { verdict, cause } = concludeVerdict(attempts);
  const answered = last?.outcome === "answered" ? last : undefined;
  return {
    verifications,
    result: {
      execution,
      verdict,
      cause,
      attempts,
      statusCode: answered?.received.status ?? null,
      responseMilliseconds: answered ? answered.phases.total - answered.phases.blocked : null,
      finishedAt: parts.clock.now(),
    },
  };
}

interface Tried {
  attempt: Omit<Attempt, "number">;
  verifications: Verification[];
}

async function judgeAttempt(
  parts: RunParts,
  { execution, test }: ExecutionTask,
  given: {
    prepared: PreparedRequest;
    exchanged: Exchanged;
    operation: OperationWithComponents | undefined;
    filler: Filler;
  },
): Promise<Tried> {
  const { prepared, exchanged, operation, filler } = given;
  const { redactor } = prepared;
  const { startedAt, durationMilliseconds, phases } = exchanged;
  const shared = {
    startedAt,
    durationMilliseconds,
    request: redactor ? redactor.value(prepared.sent) : prepared.sent,
    phases,
  };
  if (exchanged.outcome === "failed") {
    const verdict = exchanged.blocked ? "blocked" : "errored";
    return {
      attempt: { ...shared, response: null, verdict, cause: redactOptional(exchanged.cause, redactor) },
      verifications: [],
    };
  }
  const judgement = await parts.judge({
    organizationId: execution.organization_id,
    apiId: execution.api_id,
    method: test.method,
    path: test.path,
    request: prepared.sent,
    response: exchanged.received,
    phases: exchanged.phases,
    assertions: fillAssertions(test, filler),
    checks: test.checks,
    maximumResponseMilliseconds: test.maximumResponseMilliseconds,
    captures: test.captures,
    authorized: prepared.carriesCredentials,
    operation,
  });
  return {
    attempt: {
      ...shared,
      response: redactReceived(exchanged.received, redactor),
      verdict: judgement.verdict,
      ...(judgement.cause ? { cause: redactOptional(judgement.cause, redactor) } : {}),
    },
    verifications: redactOptional(judgement.verifications, redactor),
  };
}

function redactOptional<Value>(value: Value, redactor: Redactor | undefined): Value {
  return redactor ? redactor.value(value) : value;
}

function fillAssertions(test: Test, filler: Filler): Test["assertions"] {
  return test.assertions.map((assertion) => {
    if (!JSON.stringify(assertion).includes("{{")) return assertion;
    return {
      ...assertion,
      target: filler.fillTarget(assertion.target),
      ...(assertion.property === undefined ? {} : { property: filler.fill(assertion.property) }),
    };
  });
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const interrupt = () => {
      clearTimeout(timer);
      reject(new Interrupted());
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", interrupt);
      resolve();
    }, milliseconds);
    if (signal.aborted) interrupt();
    else signal.addEventListener("abort", interrupt, { once: true });
  });
}
