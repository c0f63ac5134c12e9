import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { Judgement } from "#contracts/test-analyzer/verifications.ts";
import type { Cause, Phases, ReceivedResponse } from "#contracts/test-executioner/attempts.ts";
import { maxAttempts } from "#contracts/test-registry/attempt-limit.ts";
import type { Test, WaitUntil } from "#contracts/test-registry/tests.ts";
import type { Judging } from "../judging/judging.ts";
import type { KnownSecret } from "../redaction/patterns.ts";
import { listPlaceholders } from "../template/placeholders.ts";
import { decideSecrets, secretsOf } from "./captured-secrets.ts";
import { concludeVerdict, isWorthRetrying } from "./conclude-verdict.ts";
import { fillAssertion } from "./filled-target.ts";
import { createTemplates } from "./found-values.ts";
import type { Tried } from "./hiding/hidden-secrets.ts";
import type { Hiding } from "./hiding/hiding.ts";
import { isRuledOut } from "./host-rules.ts";
import { explainNothing, listAbsent, skip } from "./nothing-to-do.ts";
import { createChangeGuard } from "./only-own/change-guard.ts";
import { changeNotOwn } from "./only-own/foreign-change.ts";
import { createMadeNotes } from "./only-own/made.ts";
import { needsOperation } from "./operation-need.ts";
import { pause } from "./pause.ts";
import { pauseBeforeNextAttempt } from "./retry.ts";
import { openCookies } from "./sending/cookie-jar.ts";
import { type PreparedRequest, prepareRequest, type SendingParts } from "./sending/preparing.ts";
import { type SendResult, sendPrepared } from "./sending/sending.ts";
import type { OpenCapture, TestResult, TestToRun } from "./test-to-run.ts";
import { missingVariable } from "./unsendable.ts";
import type { TemplateRenderer } from "./variables.ts";

/** Shared by all tests that a process runs. */
export interface RunningParts extends SendingParts {
  judging: Pick<Judging, "judge">;
  hiding: Hiding;
}

export interface RunTestOptions {
  signal: AbortSignal;
  /** Ends the wait of a test that waits: no other try starts. */
  cancelled?: AbortSignal;
  /** Called with each response, unredacted, also with an incomplete one. */
  onAnswer?(received: ReceivedResponse): void;
  /** Called before anything is sent; what it throws ends the test, so that it can be sent elsewhere. */
  onPrepared?(): void;
  /** Called when no other request will follow: only judging is left. */
  onLastAnswer?(): void;
}

/**
 * Runs one test to its end: builds the request, sends it, judges the response, and retries or waits as the test defines.
 * @throws Interrupted when `signal` ends it, or `cancelled` its wait; anything else thrown is an internal error or a lookup's
 */
export async function runTest(
  parts: RunningParts,
  given: TestToRun,
  { signal, cancelled, onAnswer, onPrepared, onLastAnswer }: RunTestOptions,
): Promise<TestResult> {
  const run = { ...given, test: decideSecrets(given.test) };
  const { test, row = {}, organizationId, findOperation } = run;
  const templates = createTemplates(run, parts.clock);
  const operation = needsOperation({ ...test, hasOwnServers: run.hasOwnServers }) ? await findOperation() : undefined;
  // Before the request is built: a missing name that only an assertion uses is reported before anything is sent.
  const assertions = test.assertions.map((assertion) => fillAssertion(assertion, templates));
  const cookies = run.cookies === undefined ? undefined : await openCookies(run.cookies);
  const built = await prepareRequest(parts, {
    organizationId,
    method: test.method,
    path: test.path,
    request: test.request,
    baseUrls: run.baseUrls,
    operation,
    findOperation,
    mayRequireAuthentication: run.mayRequireAuthentication,
    findCookies: (url) => cookies?.find(url),
    isConfirmed: run.isConfirmed,
    hashesBody: test.assertions.some(({ source }) => source === "bodySha256"),
    templates,
    secrets: run.captures.flatMap(({ isSecret, value }) => (isSecret ? secretsOf(value) : [])),
    guard: createChangeGuard(run),
    unavailableSecret: run.unavailableSecret,
    traceId: run.traceId,
  });
  const nothing = built.ok ? undefined : await explainNothing(run, built.cause, templates);
  if (nothing) return skip(parts, test, nothing);
  if (built.ok) onPrepared?.();
  const made = built.ok ? createMadeNotes(run, built.prepared.origin) : undefined;
  const tries: JudgedTry[] = [];
  const sentSecrets = new Map<string, KnownSecret>();
  const capturedSecrets = new Map<string, KnownSecret>();
  const listSecrets = () => [...sentSecrets.values(), ...capturedSecrets.values()];
  let last: SendResult | undefined;
  let attemptCount = 1;
  const began = performance.now();
  const { waitUntil } = test;
  const getTimeLeft = () => (waitUntil ? waitUntil.atMostSeconds * 1_000 - (performance.now() - began) : Infinity);
  const mayFollow = () => (waitUntil ? getTimeLeft() > 0 : attemptCount < test.retry.attempts);
  const ending = waitUntil && cancelled ? AbortSignal.any([signal, cancelled]) : signal;
  if (!built.ok) tries.push(unsent(parts, await explain(run, built.cause, templates)));
  else {
    for (; ; attemptCount += 1) {
      last = await sendPrepared(parts, built.prepared, test.timeoutMilliseconds, { signal, isJudged: true, cookies });
      if (!mayFollow()) onLastAnswer?.();
      const { received } = last;
      if (received) onAnswer?.(received);
      if (received) made?.note(received);
      for (const known of last.secrets) sentSecrets.set(JSON.stringify(known), known);
      const sent = { prepared: built.prepared, result: last, operation, assertions, secrets: listSecrets() };
      const tried = await judgeAttempt(parts, run, attemptCount, sent).finally(last.release);
      last.whole = undefined;
      for (const known of listCapturedSecrets(test, tried)) capturedSecrets.set(JSON.stringify(known), known);
      // The first stays, and the last ones.
      if (tries.length === maxAttempts) tries.splice(1, 1);
      tries.push(tried);
      if (!mayFollow() || !isWorthRetrying(tried.attempt)) break;
      const retry = waitUntil ? toRetry(waitUntil) : test.retry;
      const now = parts.clock.now();
      const length = pauseBeforeNextAttempt({ ...test, retry, attemptNumber: attemptCount, now, answered: received });
      await pause(Math.max(0, Math.min(length, getTimeLeft())), ending);
    }
  }
  const waitedMilliseconds = waitUntil && performance.now() - began;
  const { captured: newlyCaptured, capturedTypes } = tries.at(-1)!;
  const secretNames = new Set(run.captures.flatMap(({ name, isSecret }) => (isSecret ? [name] : [])));
  for (const [name, text] of Object.entries(row))
    if (listPlaceholders(text).some((one) => secretNames.has(one))) secretNames.add(name);
  const shown = await parts.hiding.hide(
    { tries, captured: newlyCaptured, filledAssertions: listFilled(test, secretNames) },
    listSecrets(),
  );
  const attempts = shown.tries.map(({ attempt }) => attempt);
  const answered = last?.outcome === "answered" ? last : undefined;
  const captures = listCaptures(test, newlyCaptured, new Set(shown.secretCaptures), capturedTypes);
  return {
    ...concludeVerdict(attempts, waitUntil !== undefined),
    ...{ attempts, attemptCount, waitedMilliseconds },
    verifications: shown.tries.at(-1)!.verifications,
    captures: [...(made?.mark(captures) ?? captures), ...listAbsent(test.captures, newlyCaptured)],
    cookies: cookies?.write(),
    host: built.ok ? new URL(built.prepared.origin).host : undefined,
    credentialId: built.ok ? built.prepared.credentialId : built.credentialId,
    statusCode: last?.received?.status ?? null,
    responseMilliseconds: answered ? answered.phases.total - answered.phases.blocked : null,
    sendingMilliseconds: answered ? getSendingTime(answered.phases) : null,
    finishedAt: parts.clock.now(),
  };
}

/** Until the request was sent, connecting included. */
function getSendingTime({ dns, connect, tls, send }: Phases): number {
  return dns + connect + tls + send;
}

function unsent(parts: RunningParts, cause: Cause): JudgedTry {
  const nothing = { durationMilliseconds: 0, request: null, response: null, phases: null };
  const startedAt = parts.clock.now().toISOString();
  return {
    attempt: { number: 1, startedAt, ...nothing, verdict: isNotAllowed(cause) ? "blocked" : "errored", cause },
    verifications: [],
    captured: {},
  };
}

function isNotAllowed(cause: Cause): boolean {
  return isRuledOut(cause) || cause.code === changeNotOwn;
}

async function explain({ explainMissing }: TestToRun, cause: Cause, templates: TemplateRenderer): Promise<Cause> {
  if (cause.code !== missingVariable || !explainMissing) return cause;
  return { ...cause, detail: await explainMissing([...templates.missing]) };
}

function listCapturedSecrets({ captures }: Test, { captured }: JudgedTry): KnownSecret[] {
  return captures.flatMap(({ name, secret }) => (secret && captured[name] ? secretsOf(captured[name]) : []));
}

function toRetry({ everySeconds }: WaitUntil): Test["retry"] {
  return { attempts: 1, backoff: "fixed", delayMilliseconds: everySeconds * 1_000 };
}

/** Numbers of the assertions whose property uses one of these names. */
function listFilled({ assertions }: Test, names: ReadonlySet<string>): number[] {
  return assertions.flatMap(({ property = "" }, number) =>
    listPlaceholders(property).some((name) => names.has(name)) ? [number] : [],
  );
}

function listCaptures(
  { captures }: Test,
  captured: Record<string, string>,
  secretNames: ReadonlySet<string>,
  types: Judgement["capturedTypes"] = {},
): OpenCapture[] {
  return captures.flatMap(({ name, secret }) => {
    const value = captured[name];
    if (value === undefined) return [];
    return [{ name, isSecret: secret === true || secretNames.has(name), value, type: types[name] }];
  });
}

/** Unredacted so far; verifications never contain known secrets. */
type JudgedTry = Tried & Pick<Judgement, "captured" | "capturedTypes">;

async function judgeAttempt(
  parts: RunningParts,
  { organizationId, test }: TestToRun,
  number: number,
  given: {
    prepared: PreparedRequest;
    result: SendResult;
    operation: OperationWithComponents | undefined;
    assertions: Test["assertions"];
    secrets: KnownSecret[];
  },
): Promise<JudgedTry> {
  const { prepared, result, operation, assertions, secrets } = given;
  const { startedAt, durationMilliseconds, phases } = result;
  const { trace } = result;
  const shared = {
    ...{ number, startedAt, durationMilliseconds, request: result.sent, phases },
    ...(trace ? { trace } : {}),
  };
  if (!result.received) {
    const verdict = result.blocked ? "blocked" : "errored";
    return {
      attempt: { ...shared, response: null, verdict, cause: result.cause },
      verifications: [],
      captured: {},
    };
  }
  const judgement = await parts.judging.judge({
    owner: organizationId,
    operation,
    item: {
      request: result.sent,
      response: result.received,
      whole: result.whole,
      phases: result.phases,
      receivedAt: new Date(Date.parse(startedAt) + durationMilliseconds).toISOString(),
      assertions,
      checks: test.checks,
      maximumResponseMilliseconds: test.maximumResponseMilliseconds,
      captures: test.captures,
      authorized: prepared.carriesCredentials,
      secrets,
    },
  });
  const { verdict, cause } =
    result.outcome === "failed" ? { verdict: "errored" as const, cause: result.cause } : judgement;
  return {
    attempt: { ...shared, response: result.received, verdict, ...(cause ? { cause } : {}) },
    verifications: judgement.verifications,
    captured: judgement.captured,
    capturedTypes: judgement.capturedTypes,
  };
}
