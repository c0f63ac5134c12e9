import type { RunOrder } from "#contracts/test-executioner/runs.ts";
import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import { isConfirmed } from "#libraries/running/host-rules.ts";
import { type RunningParts, runTest } from "#libraries/running/run-test.ts";
import type { TestResult } from "#libraries/running/test-to-run.ts";
import { nameInRow } from "#libraries/template/placeholders.ts";
import { isCookieJar, toCookieJar } from "../domain/cookie-jar.ts";
import { handsOn, keepsCaptures } from "../domain/handing-on.ts";
import { type CapturingMember, explainAbsent, explainMissing, explainNeverMade } from "../domain/missing-capture.ts";
import { getReason } from "../domain/reason.ts";
import { isFailure } from "../domain/verdict.ts";
import { describeWait } from "../domain/waited.ts";
import type { ClaimedExecution } from "../store/claims.ts";
import type { ExecutionResult } from "../store/results.ts";
import type { CaptureSeal } from "./capture-seal.ts";
import type { FindOperation } from "./operation-lookup.ts";
import type { NoteCertificate } from "./seen-certificates.ts";
import type { ExecutionTask } from "./snapshots.ts";
import type { Waits } from "./waits.ts";

export interface RunParts extends RunningParts {
  findOperation: FindOperation;
  seal: CaptureSeal;
  noteCertificate: NoteCertificate;
  /** Members of the run whose tests capture this name. */
  listCapturing(execution: ClaimedExecution, name: string): Promise<CapturingMember[]>;
}

export interface RunOptions {
  signal: AbortSignal;
  waits: Waits;
  /** If the result before it is still being stored: resolves when it is. */
  stored?: Promise<void>;
  /** Called when no other request will follow: only judging is left. */
  onLastAnswer(): void;
}

/**
 * Runs a claimed execution from its rows and returns the result to store.
 * A test with rows is one execution per row: each has its own verdict and history, as in collection runners, and one
 * row's failure stops no other.
 * @throws Interrupted when the process stops meanwhile, or CancelledWait when its run is cancelled while it waits;
 * anything else thrown is an internal error and retried
 */
export async function runExecution(
  parts: RunParts,
  task: ExecutionTask,
  { signal, waits, stored, onLastAnswer }: RunOptions,
): Promise<ExecutionResult> {
  const { execution, run, api } = task;
  const { organization_id: organizationId, api_id: apiId, row_index: rowIndex } = execution;
  const test = withNamesOfRow(task.test, rowIndex);
  const { documentId } = api;
  const opened = task.captures.map((capture) => parts.seal.open(execution, capture, run.onlyOwn?.unique));
  const wait = test.waitUntil && waits.begin(execution);
  const explain = createExplaining(parts, task, stored);
  const result = await runTest(
    parts,
    {
      organizationId,
      test,
      row: rowIndex === null ? undefined : test.data?.[rowIndex],
      captures: opened.filter((capture) => !isCookieJar(capture)),
      cookies: opened.find(isCookieJar)?.value,
      findVariable: (name) => run.variables[name] ?? api.variables[name],
      baseUrls: api.baseUrls,
      hasOwnServers: api.hasOwnServers,
      isConfirmed: isConfirmed(execution.trigger),
      mayRequireAuthentication: api.mayRequireAuthentication,
      findOperation: () =>
        parts.findOperation({ organizationId, apiId, documentId, method: test.method, path: test.path }),
      onlyOwn: run.onlyOwn && {
        effect: run.onlyOwn.effects[execution.position],
        describeVariable: (name) =>
          run.variables[name] === undefined
            ? "comes from the environment."
            : "comes from the circle's or the run's variables.",
      },
      explainMissing: async (names) => (await explain(names, explainMissing)).join(" "),
      async explainNothingToDo({ all, identifying }) {
        const isTearDown = execution.phase === "tearDown";
        const neverMade = isTearDown ? (await explain(identifying, explainNeverMade)).find(Boolean) : undefined;
        if (neverMade) return { code: "nothing_to_remove", detail: neverMade };
        const absent = (await explain(all, explainAbsent)).find(Boolean);
        return absent ? { code: "nothing_to_use", detail: absent } : undefined;
      },
    },
    {
      ...{ signal, cancelled: wait?.cancelled, onLastAnswer },
      onAnswer: (received) => parts.noteCertificate(execution, received),
    },
  ).finally(() => wait?.end());
  const handedOn = [...result.captures, ...(result.cookies === undefined ? [] : [toCookieJar(result.cookies)])];
  const { verdict, cause, attempts, attemptCount, verifications } = result;
  const { statusCode, responseMilliseconds, sendingMilliseconds, finishedAt } = result;
  const why = verdict === "skipped" ? cause?.detail : getReason(verdict, cause, verifications);
  const sentences = [describeWait(test.waitUntil, result), why];
  return {
    execution,
    verdict,
    cause,
    reason: sentences.filter(Boolean).join(" ") || null,
    ...getBlame(verdict, result),
    attempts,
    attemptCount,
    verifications,
    captures: handsOn(run, execution.phase) ? handedOn.map((capture) => parts.seal.close(execution, capture)) : [],
    gaveValues: gaveValues(test, result),
    statusCode,
    responseMilliseconds,
    sendingMilliseconds,
    finishedAt,
    mayMoveOthers: keepsCaptures(run) || run.stopOnFailure,
  };
}

/** Captures of a refusal are no values that later members can use. */
function gaveValues({ captures }: ExecutionTask["test"], result: TestResult): boolean {
  const given = new Set(result.captures.flatMap(({ name, isAbsent }) => (isAbsent ? [] : [name])));
  const { statusCode } = result;
  const isSuccess = statusCode !== null && statusCode >= 200 && statusCode < 300;
  return isSuccess && captures.length > 0 && captures.every(({ name }) => given.has(name));
}

/** A capture may have a name of its own in each row. */
function withNamesOfRow(test: Test, rowIndex: number | null): Test {
  if (!test.captures.some(({ name }) => name.endsWith("#"))) return test;
  return { ...test, captures: test.captures.map((one) => ({ ...one, name: nameInRow(one.name, rowIndex) })) };
}

const unauthorized = 401;

/** Possible common causes of a failure: the requested host, and the credential that was rejected. */
function getBlame(verdict: Verdict, { host, credentialId, statusCode }: TestResult) {
  if (!isFailure(verdict)) return { host: null, credentialId: null };
  if (host === undefined) return { host: null, credentialId: credentialId ?? null };
  return { host, credentialId: (statusCode === unauthorized && credentialId) || null };
}

/** A missing value may be one that another member should have captured. The members are looked up once for each name. */
function createExplaining(parts: RunParts, { execution, run }: ExecutionTask, stored: Promise<void> | undefined) {
  const own = { position: execution.position, order: run.order };
  const capturing = new Map<string, Promise<CapturingMember[]>>();
  const find = (name: string) => {
    const found = capturing.get(name) ?? parts.listCapturing(execution, name);
    capturing.set(name, found);
    return found;
  };
  return async <Sentence>(
    names: string[],
    say: (name: string, own: { position: number; order: RunOrder }, capturing: CapturingMember[]) => Sentence,
  ): Promise<Sentence[]> => {
    // The outcome of the members before is only known then.
    await stored;
    return await Promise.all(names.map(async (name) => say(name, own, await find(name))));
  };
}
