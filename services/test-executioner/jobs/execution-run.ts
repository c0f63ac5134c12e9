import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { Cause } from "#contracts/test-executioner/attempts.ts";
import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import type { Judging } from "#libraries/judging/judging.ts";
import type { KnownSecret } from "#libraries/redaction/patterns.ts";
import { listPlaceholders } from "#libraries/template/placeholders.ts";
import { secretsOf } from "../domain/captured-secrets.ts";
import { missingVariable } from "../domain/cause.ts";
import { handsOn, keepsCaptures } from "../domain/handing-on.ts";
import type { Tried } from "../domain/hidden-secrets.ts";
import { isConfirmed, isRuledOut } from "../domain/host-rules.ts";
import { type CapturingMember, explainMissing } from "../domain/missing-capture.ts";
import { needsOperation } from "../domain/operation-need.ts";
import { reasonOf } from "../domain/reason.ts";
import { pauseBeforeNextAttempt } from "../domain/retry.ts";
import type { TemplateRenderer } from "../domain/variables.ts";
import { concludeVerdict, isFailure, isWorthRetrying } from "../domain/verdict.ts";
import type { ClaimedExecution } from "../store/claims.ts";
import type { ExecutionResult } from "../store/results.ts";
import type { CaptureSeal } from "./capture-seal.ts";
import type { Hiding } from "./hiding.ts";
import type { FindOperation } from "./operation-lookup.ts";
import type { NoteCertificate } from "./seen-certificates.ts";
import {
  createTemplateRenderer,
  Interrupted,
  type Prepared,
  type PreparedRequest,
  prepareRequest,
  type SendingParts,
  type SendResult,
  sendPrepared,
} from "./sending.ts";
import type { ExecutionTask } from "./snapshots.ts";

export interface RunParts extends SendingParts {
  findOperation: FindOperation;
  judging: Pick<Judging, "judge">;
  hiding: Hiding;
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
 * Runs one execution to its end: builds the request, sends it, has it judged, and tries again as the test asks.
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
  const given = task.captures.map((capture) => parts.seal.open(execution, capture));
  const row = execution.row_index === null ? undefined : test.data?.[execution.row_index];
  const captured = Object.fromEntries(given.map(({ name, value }) => [name, value]));
  const templates = createTemplateRenderer(
    (name) => row?.[name] ?? captured[name] ?? run.variables[name] ?? api.variables[name],
    parts.clock,
  );
  const findOperation = () =>
    parts.findOperation({
      organizationId: execution.organization_id,
      apiId: execution.api_id,
      documentId: api.documentId,
      method: test.method,
      path: test.path,
    });
  const operation = needsOperation(test) ? await findOperation() : undefined;
  // Before the request is built: a name that only an assertion uses is to be missed before anything is sent.
  const assertions = renderAssertions(test, templates);
  const built = await prepareRequest(parts, {
    organizationId: execution.organization_id,
    method: test.method,
    path: test.path,
    request: test.request,
    baseUrls: [test.request.baseUrl, ...api.baseUrls],
    operation,
    findOperation,
    isConfirmed: isConfirmed(execution.trigger),
    templates,
    secrets: given.flatMap(({ isSecret, value }) => (isSecret ? secretsOf(value) : [])),
  });
  const tries: JudgedTry[] = [];
  const sentSecrets = new Map<string, KnownSecret>();
  let last: SendResult | undefined;
  if (!built.ok) {
    // What became of the members before can only be told then.
    await stored;
    tries.push(unsent(parts, await explain(parts, task, built.cause, templates)));
  } else {
    for (let number = 1; ; number += 1) {
      last = await sendPrepared(parts, built.prepared, test.timeoutMilliseconds, signal);
      if (number >= test.retry.attempts) onLastAnswer();
      if (last.outcome === "answered") parts.noteCertificate(execution, last.received);
      for (const known of last.secrets) sentSecrets.set(JSON.stringify(known), known);
      const secrets = [...sentSecrets.values(), ...listCapturedSecrets(test, tries)];
      const sent = { prepared: built.prepared, result: last, operation, assertions, secrets };
      const tried = await judgeAttempt(parts, task, number, sent);
      tries.push(tried);
      if (number >= test.retry.attempts || !isWorthRetrying(tried.attempt)) break;
      const answered = last.outcome === "answered" ? last.received : undefined;
      await pause(pauseBeforeNextAttempt({ ...test, attemptNumber: number, now: parts.clock.now(), answered }), signal);
    }
  }
  const secrets = [...sentSecrets.values(), ...listCapturedSecrets(test, tries)];
  const { captured: newlyCaptured } = tries.at(-1)!;
  const secretNames = new Set(given.flatMap(({ name, isSecret }) => (isSecret ? [name] : [])));
  const shown = await parts.hiding.hide(
    { tries, captured: newlyCaptured, filledAssertions: listFilled(test, secretNames) },
    secrets,
  );
  const attempts = shown.tries.map(({ attempt }) => attempt);
  const { verdict, cause } = concludeVerdict(attempts);
  const { verifications } = shown.tries.at(-1)!;
  const answered = last?.outcome === "answered" ? last : undefined;
  return {
    execution,
    verdict,
    cause,
    reason: reasonOf(verdict, cause, verifications),
    ...blameOf(built, verdict, answered?.received.status),
    attempts,
    verifications,
    captures: handsOn(run, execution.phase)
      ? closeCaptures(parts.seal, task, newlyCaptured, new Set(shown.secretCaptures))
      : [],
    statusCode: answered?.received.status ?? null,
    responseMilliseconds: answered ? answered.phases.total - answered.phases.blocked : null,
    finishedAt: parts.clock.now(),
    mayMoveOthers: keepsCaptures(run) || run.stopOnFailure,
  };
}

const unauthorized = 401;

/** What a failure may have in common with others: the host that was asked, and the credential that did not open it. */
function blameOf(built: Prepared, verdict: Verdict, status: number | undefined) {
  if (!isFailure(verdict)) return { host: null, credentialId: null };
  if (!built.ok) return { host: null, credentialId: built.credentialId ?? null };
  const { origin, credentialId } = built.prepared;
  return { host: new URL(origin).host, credentialId: (status === unauthorized && credentialId) || null };
}

function unsent(parts: RunParts, cause: Cause): JudgedTry {
  const nothing = { durationMilliseconds: 0, request: null, response: null, phases: null };
  const startedAt = parts.clock.now().toISOString();
  return {
    attempt: { number: 1, startedAt, ...nothing, verdict: isRuledOut(cause) ? "blocked" : "errored", cause },
    verifications: [],
    captured: {},
  };
}

/** What has no value may be what another member was to capture. */
async function explain(
  parts: RunParts,
  task: ExecutionTask,
  cause: Cause,
  templates: TemplateRenderer,
): Promise<Cause> {
  if (cause.code !== missingVariable) return cause;
  const own = { position: task.execution.position, order: task.run.order };
  const sentences = await Promise.all(
    [...templates.missing].map(async (name) =>
      explainMissing(name, own, await parts.listCapturing(task.execution, name)),
    ),
  );
  return { ...cause, detail: sentences.join(" ") };
}

function listCapturedSecrets(test: Test, tries: JudgedTry[]): KnownSecret[] {
  return tries.flatMap(({ captured }) =>
    test.captures.flatMap(({ name, secret }) => (secret && captured[name] ? secretsOf(captured[name]) : [])),
  );
}

/** Numbers of the assertions whose property asks for one of these. */
function listFilled({ assertions }: Test, names: ReadonlySet<string>): number[] {
  return assertions.flatMap(({ property = "" }, number) =>
    listPlaceholders(property).some((name) => names.has(name)) ? [number] : [],
  );
}

function closeCaptures(
  seal: CaptureSeal,
  { execution, test }: ExecutionTask,
  captured: Record<string, string>,
  secretNames: ReadonlySet<string>,
) {
  return test.captures.flatMap(({ name, secret }) => {
    const value = captured[name];
    if (value === undefined) return [];
    return [seal.close(execution, { name, isSecret: secret === true || secretNames.has(name), value })];
  });
}

/** As it came, secrets included, until they are hidden; verifications never show those that were known. */
interface JudgedTry extends Tried {
  captured: Record<string, string>;
}

async function judgeAttempt(
  parts: RunParts,
  { execution, test }: ExecutionTask,
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
  const shared = {
    number,
    startedAt,
    durationMilliseconds,
    request: result.sent,
    phases,
  };
  if (result.outcome === "failed") {
    const verdict = result.blocked ? "blocked" : "errored";
    return {
      attempt: { ...shared, response: null, verdict, cause: result.cause },
      verifications: [],
      captured: {},
    };
  }
  const judgement = await parts.judging.judge({
    owner: execution.organization_id,
    operation,
    item: {
      request: result.sent,
      response: result.received,
      phases: result.phases,
      assertions,
      checks: test.checks,
      maximumResponseMilliseconds: test.maximumResponseMilliseconds,
      captures: test.captures,
      authorized: prepared.carriesCredentials,
      secrets,
    },
  });
  return {
    attempt: {
      ...shared,
      response: result.received,
      verdict: judgement.verdict,
      ...(judgement.cause ? { cause: judgement.cause } : {}),
    },
    verifications: judgement.verifications,
    captured: judgement.captured,
  };
}

function renderAssertions(test: Test, templates: TemplateRenderer): Test["assertions"] {
  return test.assertions.map((assertion) => {
    if (!JSON.stringify(assertion).includes("{{")) return assertion;
    return {
      ...assertion,
      target: templates.renderTarget(assertion.target),
      ...(assertion.property === undefined ? {} : { property: templates.render(assertion.property) }),
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
