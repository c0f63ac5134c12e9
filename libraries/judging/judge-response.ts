import type { CapturedType, Judgement } from "#contracts/test-analyzer/verifications.ts";
import { type MarkupReader, noMarkup } from "../xpath/markup.ts";
import { judgeAssertion } from "./assertion/judge-assertion.ts";
import { captureValue } from "./capture.ts";
import { judgeCheck } from "./check/judge-check.ts";
import { getEvaluationMilliseconds } from "./cost.ts";
import { type ItemToJudge, type JudgedOperation, JudgedResponse } from "./judged-response.ts";
import { noSchemas, type SchemaValidator } from "./schema/schema-validator.ts";
import { errored, type JudgedVerification } from "./verification.ts";

export type { ItemToJudge } from "./judged-response.ts";

/** Parts that run only in the thread with a time limit. */
export interface Evaluators {
  schemas: SchemaValidator;
  markup: MarkupReader;
}

export const noEvaluators: Evaluators = { schemas: noSchemas, markup: noMarkup };

export interface Meter {
  /** Called before each evaluation with its number: captures, then assertions, then checks. */
  begin(task: number): void;
  /** Whether an evaluation took too long before and is not repeated. */
  isAbandoned(task: number): boolean;
}

export const unmetered: Meter = { begin() {}, isAbandoned: () => false };

/** The stored form. Sentences and locations are written by this product, but must not contain a long secret either. */
function keep(
  { code: _, ...verification }: JudgedVerification,
  judged: JudgedResponse,
): Judgement["verifications"][number] {
  const { property, message } = verification;
  return {
    ...verification,
    ...(property === undefined ? {} : { property: judged.hideInSentence(property) }),
    message: judged.hideInSentence(message),
  };
}

/**
 * The verdict, made after all evaluations: one failure makes it `failed`, even when others could not be judged, since
 * the response is then known to be wrong. Skipped ones do not count, but where all were skipped nothing is known of the
 * response, which is no reason to pass.
 */
function verdictOf(verifications: JudgedVerification[]): Pick<Judgement, "verdict" | "cause"> {
  if (verifications.some((one) => one.outcome === "failed")) return { verdict: "failed" };
  const cause = verifications.find((one) => one.outcome === "errored");
  if (!cause) {
    const [first] = verifications;
    if (!first || verifications.some((one) => one.outcome === "passed")) return { verdict: "passed" };
    const detail = `Nothing was judged. ${first.source}: ${first.message}`;
    return { verdict: "errored", cause: { code: "nothing_judged", detail, phase: "judging" } };
  }
  const what = cause.property ?? cause.source;
  return {
    verdict: "errored",
    cause: {
      code: cause.code ?? "not_judged",
      detail: `${what} could not be judged: ${cause.message}`,
      phase: "judging",
    },
  };
}

/** Judges one response: captures first, since some are secrets, then every assertion and every check. */
export function judgeResponse(
  item: ItemToJudge,
  operation: JudgedOperation | undefined,
  { schemas, markup }: Evaluators,
  meter: Meter = unmetered,
): Judgement {
  const judged = new JudgedResponse(item, operation, markup);
  const limit = getEvaluationMilliseconds(item).toLocaleString("en");
  const tooCostly = `This took more than ${limit} ms, or more memory than there is, and was stopped.`;
  let task = -1;
  function attempt<Result>(evaluate: () => Result, giveUp: () => Result): Result {
    task += 1;
    if (meter.isAbandoned(task)) return giveUp();
    meter.begin(task);
    return evaluate();
  }
  const captured: Record<string, string> = {};
  const capturedTypes: Record<string, CapturedType> = {};
  for (const capture of item.captures) {
    const value = attempt(
      () => captureValue(capture, judged),
      () => undefined,
    );
    if (value === undefined) continue;
    captured[capture.name] = value.text;
    if (value.type) capturedTypes[capture.name] = value.type;
  }
  const capturedSecrets = item.captures.flatMap(({ name, secret }) =>
    secret && captured[name] ? [{ secret: captured[name] }] : [],
  );
  judged.hide([...(item.secrets ?? []), ...capturedSecrets]);
  const verifications: JudgedVerification[] = [
    ...item.assertions.map((assertion) => {
      const { source, property, comparison } = assertion;
      const asked = { kind: "assertion" as const, source, ...(property === undefined ? {} : { property }), comparison };
      return attempt(
        () => judgeAssertion(assertion, judged, schemas),
        () => errored(asked, "too_costly", tooCostly),
      );
    }),
    ...item.checks.map((name) =>
      attempt(
        () => judgeCheck(name, judged, schemas),
        () => errored({ kind: "check", source: name }, "too_costly", tooCostly),
      ),
    ),
  ];
  const { verdict, cause } = verdictOf(verifications);
  return {
    verdict,
    ...(cause ? { cause: { ...cause, detail: judged.hideInSentence(cause.detail) } } : {}),
    verifications: verifications.map((one) => keep(one, judged)),
    captured,
    capturedTypes,
  };
}
