import type { CollectedAssertion } from "../../collection.ts";
import {
  type ScriptReader,
  type Unsaid,
  writeCompared,
  writeCondition,
  writePattern,
  writeSubject,
  writeTarget,
} from "./condition.ts";

/** An assertion as a statement with Chai's `expect`, which Postman and Bruno have. */
export function writeExpectation(
  assertion: CollectedAssertion,
  reader: ScriptReader,
  expect: string,
): { code: string } | Unsaid {
  const condition = writeCondition(assertion, reader);
  if ("reason" in condition) return condition;
  const chain = writeChain(assertion, reader);
  if (!chain) return { code: `${expect}(${condition.code}).to.equal(true);` };
  return { code: `${expect}(${chain.value}).to.${chain.rest};` };
}

const numbers: Record<string, string> = {
  lessThan: "below",
  lessThanOrEqual: "at.most",
  greaterThan: "above",
  greaterThanOrEqual: "at.least",
};

/** The usual phrase of a comparison, whose message names both values; undefined where there is none. */
function writeChain(assertion: CollectedAssertion, reader: ScriptReader): { value: string; rest: string } | undefined {
  const subject = writeSubject(assertion, reader);
  if ("reason" in subject) return undefined;
  const { comparison, target } = assertion;
  const value = writeCompared(subject, comparison, target);
  const wanted = writeTarget(target, subject.isText && typeof target !== "number", reader);
  if (comparison in numbers) return { value, rest: `be.${numbers[comparison]}(${wanted})` };
  switch (comparison) {
    case "equals":
      return { value, rest: `eql(${wanted})` };
    case "notEquals":
      return { value, rest: `not.eql(${wanted})` };
    case "oneOf":
      return Array.isArray(target) && target.every((item) => typeof item !== "object")
        ? { value, rest: `be.oneOf(${wanted})` }
        : undefined;
    case "between": {
      const [from, to] = Array.isArray(target) ? target : [];
      const isNumeric = typeof from === "number" && typeof to === "number" && !subject.isText;
      return isNumeric ? { value, rest: `be.within(${from}, ${to})` } : undefined;
    }
    case "contains":
      // Of a text or of a list, whose items it compares as they are.
      return typeof target === "string" || (typeof target === "number" && !subject.isText)
        ? { value, rest: `include(${wanted})` }
        : undefined;
    case "matches": {
      const pattern = writePattern(target);
      return pattern ? { value, rest: `match(${pattern})` } : undefined;
    }
    case "exists":
      return subject.isText || subject.isList ? undefined : { value, rest: "not.equal(undefined)" };
    case "isNull":
      return { value, rest: "equal(null)" };
    case "hasType":
      return typeof target === "string" && /^(string|number|boolean|array|object|null)$/.test(target)
        ? { value, rest: `be.a(${wanted})` }
        : undefined;
    default:
      return undefined;
  }
}
