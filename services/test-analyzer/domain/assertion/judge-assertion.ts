import type { Json } from "../../../kit/json/json.ts";
import type { Assertion } from "../../../test-registry/contract/assertions.ts";
import { type Show, shortenValue } from "../describe-value.ts";
import type { JudgedExchange } from "../judged-exchange.ts";
import { judgeAgainstSchema } from "../schema/judge-schema.ts";
import { type SchemaValidator, showPointer } from "../schema/schema-validator.ts";
import { type Evaluation, type Judged, judgeSafely } from "../verification.ts";
import { holds, subjectOf } from "./comparisons.ts";
import { type Found, findValue } from "./find-value.ts";
import { isMeasure, sentenceFor } from "./sentence.ts";

/** Whether there is a body can be told even where it was cut or is no text. */
function findBody(exchange: JudgedExchange): Found {
  if (exchange.response.bodyBytes === 0) return { kind: "missing", place: "body", reason: "there is none" };
  const size = `${exchange.response.bodyBytes} bytes`;
  return { kind: "value", value: exchange.response.body || size, text: true, place: "body" };
}

function evaluate(assertion: Assertion, exchange: JudgedExchange, validator: SchemaValidator): Evaluation {
  const { source, comparison, target } = assertion;
  if (comparison === "matchesSchema") return judgeAgainstSchema(assertion, exchange, validator);
  const asksPresence = comparison === "exists" || comparison === "notExists";
  const found = source === "body" && asksPresence ? findBody(exchange) : findValue(exchange, assertion);
  const passed = holds(found, comparison, target);
  const show: Show = (value) => (isMeasure(source) ? value : exchange.show(value));
  return {
    outcome: passed ? "passed" : "failed",
    message: sentenceFor(assertion, found, show),
    ...(found.kind === "value" ? { actual: show(shortenValue(subjectOf(found, comparison, target))) } : {}),
    ...(found.kind === "value" && found.pointer !== undefined ? { pointer: showPointer(found.pointer, show) } : {}),
  };
}

function shownTarget({ source, target }: Assertion, exchange: JudgedExchange): unknown {
  const short = shortenValue(target as Json);
  return isMeasure(source) ? short : exchange.show(short);
}

/** Evaluates one assertion on one exchange. */
export function judgeAssertion(assertion: Assertion, exchange: JudgedExchange, validator: SchemaValidator): Judged {
  const { source, property, comparison, target } = assertion;
  const asked = {
    kind: "assertion" as const,
    source,
    ...(property === undefined ? {} : { property }),
    comparison,
    ...(target === undefined ? {} : { target: shownTarget(assertion, exchange) }),
  };
  return judgeSafely(asked, () => evaluate(assertion, exchange, validator));
}
