import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import { isConfirmed } from "#libraries/running/host-rules.ts";
import { type RunningParts, runTest } from "#libraries/running/run-test.ts";
import type { TestResult } from "#libraries/running/test-to-run.ts";
import { handsOn, keepsCaptures } from "../domain/handing-on.ts";
import { type CapturingMember, explainMissing } from "../domain/missing-capture.ts";
import { reasonOf } from "../domain/reason.ts";
import { isFailure } from "../domain/verdict.ts";
import type { ClaimedExecution } from "../store/claims.ts";
import type { ExecutionResult } from "../store/results.ts";
import type { CaptureSeal } from "./capture-seal.ts";
import type { FindOperation } from "./operation-lookup.ts";
import type { NoteCertificate } from "./seen-certificates.ts";
import type { ExecutionTask } from "./snapshots.ts";

export interface RunParts extends RunningParts {
  findOperation: FindOperation;
  seal: CaptureSeal;
  noteCertificate: NoteCertificate;
  /** Members of the run whose tests capture this name. */
  listCapturing(execution: ClaimedExecution, name: string): Promise<CapturingMember[]>;
}

export interface RunOptions {
  signal: AbortSignal;
  /** Where the result before it is still being stored: resolves when it is. */
  stored?: Promise<void>;
  /** Told when no other request will follow: what is left is judging. */
  onLastAnswer(): void;
}

/**
 * Runs what was claimed, as rows give it, and says what is to be stored.
 * A test with rows is one execution a row: each has its own verdict and history, as people know it from collection
 * runners, and one row's failure stops no other.
 * @throws Interrupted when the process stops meanwhile; anything else thrown is our fault and tried again
 */
export async function runExecution(
  parts: RunParts,
  task: ExecutionTask,
  { signal, stored, onLastAnswer }: RunOptions,
): Promise<ExecutionResult> {
  const { execution, test, run, api } = task;
  const { organization_id: organizationId, api_id: apiId, row_index: rowIndex } = execution;
  const { documentId } = api;
  const result = await runTest(
    parts,
    {
      organizationId,
      test,
      row: rowIndex === null ? undefined : test.data?.[rowIndex],
      captures: task.captures.map((capture) => parts.seal.open(execution, capture)),
      findVariable: (name) => run.variables[name] ?? api.variables[name],
      baseUrls: api.baseUrls,
      isConfirmed: isConfirmed(execution.trigger),
      findOperation: () =>
        parts.findOperation({ organizationId, apiId, documentId, method: test.method, path: test.path }),
      async explainMissing(names) {
        // What became of the members before can only be told then.
        await stored;
        return await explain(parts, task, names);
      },
    },
    { signal, onAnswer: (received) => parts.noteCertificate(execution, received), onLastAnswer },
  );
  const { verdict, cause, attempts, verifications, captures, statusCode, responseMilliseconds, finishedAt } = result;
  return {
    execution,
    verdict,
    cause,
    reason: reasonOf(verdict, cause, verifications),
    ...blameOf(verdict, result),
    attempts,
    verifications,
    captures: handsOn(run, execution.phase) ? captures.map((capture) => parts.seal.close(execution, capture)) : [],
    statusCode,
    responseMilliseconds,
    finishedAt,
    mayMoveOthers: keepsCaptures(run) || run.stopOnFailure,
  };
}

const unauthorized = 401;

/** What a failure may have in common with others: the host that was asked, and the credential that did not open it. */
function blameOf(verdict: Verdict, { host, credentialId, statusCode }: TestResult) {
  if (!isFailure(verdict)) return { host: null, credentialId: null };
  if (host === undefined) return { host: null, credentialId: credentialId ?? null };
  return { host, credentialId: (statusCode === unauthorized && credentialId) || null };
}

/** What has no value may be what another member was to capture. */
async function explain(parts: RunParts, { execution, run }: ExecutionTask, names: string[]): Promise<string> {
  const own = { position: execution.position, order: run.order };
  const sentences = await Promise.all(
    names.map(async (name) => explainMissing(name, own, await parts.listCapturing(execution, name))),
  );
  return sentences.join(" ");
}
