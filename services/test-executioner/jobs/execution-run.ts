import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import { isConfirmed } from "#libraries/running/host-rules.ts";
import { type RunningParts, runTest } from "#libraries/running/run-test.ts";
import type { TestResult, TestToRun } from "#libraries/running/test-to-run.ts";
import { toTraceId } from "#libraries/running/trace-context.ts";
import { isCookieJar, toCookieJar } from "../domain/cookie-jar.ts";
import { describeResult } from "../domain/described-result.ts";
import { createDescribeVariable } from "../domain/described-variable.ts";
import { gaveValues, withNamesOfRow } from "../domain/given-values.ts";
import { handsOn, keepsCaptures } from "../domain/handing-on.ts";
import { type CapturingMember, type Explain, explainMissing, explainNothingToDo } from "../domain/missing-capture.ts";
import { getPositionInSeries } from "../domain/places/judged-places.ts";
import { isFailure } from "../domain/verdict.ts";
import type { ClaimedExecution } from "../store/claims.ts";
import type { ExecutionResult } from "../store/results.ts";
import { type ApiSecretLookup, listUsedNames, readApiSecrets } from "./api-secrets.ts";
import type { CaptureSeal } from "./capture-seal.ts";
import type { FindOperation } from "./operation-lookup.ts";
import type { SecretVariableLookup } from "./secret-variables.ts";
import type { NoteCertificate } from "./seen-certificates.ts";
import type { ExecutionTask } from "./snapshots.ts";
import type { Waits } from "./waits.ts";

export interface RunParts extends RunningParts {
  readSecretVariables: SecretVariableLookup;
  readApiSecrets: ApiSecretLookup;
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
  const { execution } = task;
  const wait = task.test.waitUntil && waits.begin(execution);
  const resolved = await resolveTest(parts, task, stored).catch((error: unknown) => {
    wait?.end();
    throw error;
  });
  const result = await runTest(parts, resolved, {
    ...{ signal, cancelled: wait?.cancelled, onLastAnswer },
    onAnswer: (received) => parts.noteCertificate(execution, received),
  }).finally(() => wait?.end());
  return concludeExecution(parts, task, result);
}

export type ResolvingParts = Pick<
  RunParts,
  "readApiSecrets" | "readSecretVariables" | "findOperation" | "seal" | "listCapturing"
>;

/** Everything that a claimed execution needs to run, from its rows. */
export async function resolveTest(
  parts: ResolvingParts,
  task: ExecutionTask,
  stored?: Promise<void>,
): Promise<TestToRun> {
  const { execution, run, api } = task;
  const { organization_id: organizationId, api_id: apiId, row_index: rowIndex } = execution;
  const test = withNamesOfRow(task.test, rowIndex);
  const { documentId } = api;
  const opened = task.captures.map((capture) => parts.seal.open(execution, capture, run.onlyOwn?.unique));
  const explain = createExplaining(parts, task, stored);
  const row = rowIndex === null ? undefined : test.data?.[rowIndex];
  const captures = opened.filter((capture) => !isCookieJar(capture));
  const used = listUsedNames({ ...test, data: undefined, baseUrls: api.baseUrls }, row);
  const read = await parts.readSecretVariables(organizationId, chooseReferences(run, used, captures));
  const ofApi = await readApiSecrets(
    (owner, names) => parts.readApiSecrets(owner, names, parts.readSecretVariables),
    { organizationId, apiId, environment: api.environment },
    { used, run, secretVariables: api.secretVariables, captures },
  );
  return {
    organizationId,
    test,
    row,
    captures: [...captures, ...read.captures, ...ofApi.captures],
    unavailableSecret: read.unavailable ?? ofApi.unavailable,
    cookies: opened.find(isCookieJar)?.value,
    findVariable: (name) => run.variables[name] ?? api.variables[name],
    baseUrls: api.baseUrls,
    hasOwnServers: api.hasOwnServers,
    isConfirmed: isConfirmed(execution.trigger),
    traceId: toTraceId(execution.run_id),
    mayRequireAuthentication: api.mayRequireAuthentication,
    findOperation: () =>
      parts.findOperation({ organizationId, apiId, documentId, method: test.method, path: test.path }),
    onlyOwn: run.onlyOwn && {
      effect: run.onlyOwn.effects[getPositionInSeries(execution.position, run.seriesSize)],
      describeVariable: createDescribeVariable((name) => run.variables[name] !== undefined),
    },
    explainMissing: async (names) => (await explain(names, explainMissing)).join(" "),
    explainNothingToDo: (missing) => explainNothingToDo(missing, execution.phase, explain),
  };
}

/** The result of a test, wherever it ran, as it is stored. */
export function concludeExecution(
  { seal }: Pick<RunParts, "seal">,
  { execution, run, test: unnamed }: ExecutionTask,
  result: TestResult,
): ExecutionResult {
  const test = withNamesOfRow(unnamed, execution.row_index);
  const handedOn = [...result.captures, ...(result.cookies === undefined ? [] : [toCookieJar(result.cookies)])];
  const { verdict, cause, attempts, attemptCount, verifications } = result;
  const { statusCode, responseMilliseconds, sendingMilliseconds, finishedAt } = result;
  return {
    execution,
    verdict,
    cause,
    reason: describeResult(test, result),
    ...getBlame(verdict, result),
    attempts,
    attemptCount,
    verifications,
    captures: handsOn(run, execution.phase) ? handedOn.map((capture) => seal.close(execution, capture)) : [],
    gaveValues: gaveValues(test, result),
    statusCode,
    responseMilliseconds,
    sendingMilliseconds,
    finishedAt,
    mayMoveOthers: keepsCaptures(run) || run.stopOnFailure,
  };
}

/** The circle's secret variables that the test uses and no member has captured. */
function chooseReferences(
  { secretReferences = {} }: ExecutionTask["run"],
  used: ReadonlySet<string>,
  captures: readonly { name: string }[],
): NonNullable<ExecutionTask["run"]["secretReferences"]> {
  const names = Object.keys(secretReferences);
  if (names.length === 0) return {};
  const isCaptured = new Set(captures.map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(secretReferences).filter(([name]) => used.has(name) && !isCaptured.has(name)),
  );
}

const unauthorized = 401;

/** Possible common causes of a failure: the requested host, and the credential that was rejected. */
function getBlame(verdict: Verdict, { host, credentialId, statusCode }: TestResult) {
  if (!isFailure(verdict)) return { host: null, credentialId: null };
  if (host === undefined) return { host: null, credentialId: credentialId ?? null };
  return { host, credentialId: (statusCode === unauthorized && credentialId) || null };
}

/** A missing value may be one that another member should have captured. The members are looked up once for each name. */
function createExplaining(parts: ResolvingParts, { execution, run }: ExecutionTask, stored: Promise<void> | undefined) {
  const own = { position: execution.position, order: run.order };
  const capturing = new Map<string, Promise<CapturingMember[]>>();
  const find = (name: string) => {
    const found = capturing.get(name) ?? parts.listCapturing(execution, name);
    capturing.set(name, found);
    return found;
  };
  const explain: Explain = async (names, say) => {
    // The outcome of the members before is only known then.
    await stored;
    return await Promise.all(names.map(async (name) => say(name, own, await find(name))));
  };
  return explain;
}
