import type { KnownSecret } from "../../kit/redaction/patterns.ts";
import type { JudgeInput, Judgement } from "../contract/verifications.ts";
import { judgeAssertion } from "./assertion/judge-assertion.ts";
import { captureValue } from "./capture.ts";
import { judgeCheck } from "./check/judge-check.ts";
import { JudgedExchange, type JudgedOperation } from "./judged-exchange.ts";
import type { SchemaValidator } from "./schema/schema-validator.ts";
import { errored, type Judged } from "./verification.ts";

export type ItemToJudge = Omit<JudgeInput, "operation"> & { secrets?: KnownSecret[] };

export interface Meter {
  /** Told before each evaluation, by its number: captures, then assertions, then checks. */
  begin(task: number): void;
  /** Whether an evaluation took too long before and is not tried again. */
  isAbandoned(task: number): boolean;
}

export const unmetered: Meter = { begin() {}, isAbandoned: () => false };

const tooCostly = "This took more than 250 ms, or more memory than there is, and was stopped.";

/** As it is kept: what of it is a sentence or a place is ours, yet no long secret is to be in it either. */
function keep({ code: _, ...verification }: Judged, exchange: JudgedExchange): Judgement["verifications"][number] {
  const { property, message } = verification;
  return {
    ...verification,
    ...(property === undefined ? {} : { property: exchange.hideInSentence(property) }),
    message: exchange.hideInSentence(message),
  };
}

/**
 * Everything is evaluated, then the verdict made: one failure makes it `failed`, whatever else could not be judged,
 * since the answer is then known to be wrong. What was skipped does not count.
 */
function verdictOf(judged: Judged[]): Pick<Judgement, "verdict" | "cause"> {
  if (judged.some((one) => one.outcome === "failed")) return { verdict: "failed" };
  const cause = judged.find((one) => one.outcome === "errored");
  if (!cause) return { verdict: "passed" };
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

/** Judges one exchange: the captures, since some are secrets, then every assertion and every check. */
export function judgeExchange(
  item: ItemToJudge,
  operation: JudgedOperation | undefined,
  validator: SchemaValidator,
  meter: Meter = unmetered,
): Judgement {
  const exchange = new JudgedExchange(item, operation);
  let task = -1;
  function attempt<Result>(evaluate: () => Result, giveUp: () => Result): Result {
    task += 1;
    if (meter.isAbandoned(task)) return giveUp();
    meter.begin(task);
    return evaluate();
  }
  const captured: Record<string, string> = {};
  for (const capture of item.captures) {
    const value = attempt(
      () => captureValue(capture, exchange),
      () => undefined,
    );
    if (value !== undefined) captured[capture.name] = value;
  }
  const capturedSecrets = item.captures.flatMap(({ name, secret }) =>
    secret && captured[name] ? [{ secret: captured[name] }] : [],
  );
  exchange.hide([...(item.secrets ?? []), ...capturedSecrets]);
  const judged: Judged[] = [
    ...item.assertions.map((assertion) => {
      const { source, property, comparison } = assertion;
      const asked = { kind: "assertion" as const, source, ...(property === undefined ? {} : { property }), comparison };
      return attempt(
        () => judgeAssertion(assertion, exchange, validator),
        () => errored(asked, "too_costly", tooCostly),
      );
    }),
    ...item.checks.map((name) =>
      attempt(
        () => judgeCheck(name, exchange, validator),
        () => errored({ kind: "check", source: name }, "too_costly", tooCostly),
      ),
    ),
  ];
  const { verdict, cause } = verdictOf(judged);
  return {
    verdict,
    ...(cause ? { cause: { ...cause, detail: exchange.hideInSentence(cause.detail) } } : {}),
    verifications: judged.map((one) => keep(one, exchange)),
    captured,
  };
}
