import type { Assertion } from "#contracts/test-registry/assertions.ts";
import type { Json } from "../../json/json.ts";
import { joinJson, splitJson } from "../../json/json-texts.ts";
import { UnreadableJson } from "../../json/parse-json.ts";
import { type Show, shortenValue } from "../describe-value.ts";
import { type JudgedResponse, Unjudgeable } from "../judged-response.ts";
import { judgeAgainstSchema } from "../schema/judge-schema.ts";
import { type SchemaValidator, showPointer } from "../schema/schema-validator.ts";
import { type Evaluation, type JudgedVerification, judgeSafely, shownActual } from "../verification.ts";
import { holds, subjectOf } from "./comparisons.ts";
import { isDateComparison, type JudgedValue, judgeDate } from "./dates.ts";
import { type Found, findValue } from "./find-value.ts";
import { isMeasure, sentenceFor } from "./sentence.ts";

/** Whether a body exists is known even when it was truncated or is not text, and when a part of it came. */
function findBody(judged: JudgedResponse): Found {
  const { incomplete, bodyBytes } = judged.response;
  if (incomplete && bodyBytes === 0) {
    throw new Unjudgeable(
      "body_incomplete",
      "The response failed before its body, so it is unknown whether it has one.",
    );
  }
  if (judged.response.bodyBytes === 0) return { kind: "missing", place: "body", reason: "there is none" };
  const size = `${judged.response.bodyBytes} bytes`;
  return { kind: "value", value: judged.response.body || size, text: true, place: "body" };
}

/** @throws Unjudgeable */
function withExactTarget(assertion: Assertion): Assertion {
  if (assertion.targetJson === undefined) return assertion;
  try {
    return { ...assertion, target: joinJson(assertion.target, assertion.targetJson) };
  } catch (error) {
    if (error instanceof UnreadableJson) throw new Unjudgeable("invalid_assertion", "The target is not JSON.");
    throw error;
  }
}

/** Whether a longer time would not change the outcome. */
function isSettled(comparison: Assertion["comparison"], passed: boolean): boolean {
  if (comparison === "lessThan" || comparison === "lessThanOrEqual") return !passed;
  return passed && (comparison === "greaterThan" || comparison === "greaterThanOrEqual");
}

/** Hex digits and names of charsets have no case; both are found in lower case. */
function withoutCase(assertion: Assertion): Assertion {
  const { source, target } = assertion;
  if (source !== "bodySha256" && source !== "charset") return assertion;
  const lower = (value: unknown) => (typeof value === "string" ? value.toLowerCase() : value);
  return { ...assertion, target: Array.isArray(target) ? target.map(lower) : lower(target) };
}

function evaluate(assertion: Assertion, judged: JudgedResponse, validator: SchemaValidator): Evaluation {
  const { source, comparison, target } = assertion;
  if (comparison === "matchesSchema") return judgeAgainstSchema(assertion, judged, validator);
  const asksPresence = comparison === "exists" || comparison === "notExists";
  const found = source === "body" && asksPresence ? findBody(judged) : findValue(judged, assertion);
  const isOpenEnded = source === "responseTime" && judged.response.incomplete;
  if (isOpenEnded && !isSettled(comparison, holds(found, comparison, target))) {
    throw new Unjudgeable("body_incomplete", "The response is incomplete, so its whole time is not known.");
  }
  const show: Show = (value) => (isMeasure(source) ? value : judged.show(value));
  const judgeValue = isDateComparison(comparison) ? judgeDate : judgeByType;
  return {
    ...judgeValue(assertion, found, judged, show),
    ...(found.kind === "value" ? shownActual(show(shortenValue(subjectOf(found, comparison, target)))) : {}),
    ...(found.kind === "value" && found.pointer !== undefined ? { pointer: showPointer(found.pointer, show) } : {}),
  };
}

function judgeByType(assertion: Assertion, found: Found, _judged: JudgedResponse, show: Show): JudgedValue {
  const passed = holds(found, assertion.comparison, assertion.target);
  return { outcome: passed ? "passed" : "failed", message: sentenceFor(assertion, found, show) };
}

function shownTarget({ source, target }: Assertion, judged: JudgedResponse) {
  const short = shortenValue(target as Json);
  const { plain, text } = splitJson(isMeasure(source) ? short : judged.show(short));
  return { target: plain, ...(text === undefined ? {} : { targetJson: text }) };
}

/** Evaluates one assertion against one response. */
export function judgeAssertion(
  assertion: Assertion,
  judged: JudgedResponse,
  validator: SchemaValidator,
): JudgedVerification {
  const { source, property, comparison } = assertion;
  const asked = {
    kind: "assertion" as const,
    source,
    ...(property === undefined ? {} : { property }),
    comparison,
  };
  return judgeSafely(asked, () => {
    const exact = withoutCase(withExactTarget(assertion));
    if (exact.target !== undefined) Object.assign(asked, shownTarget(exact, judged));
    return evaluate(exact, judged, validator);
  });
}
