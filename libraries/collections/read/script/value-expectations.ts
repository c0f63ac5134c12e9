import { reasons } from "../reasons.ts";
import { evaluate, type Scope } from "./evaluate.ts";
import { assertion, type Expectation, later, synonyms, type Word } from "./expectation-words.ts";
import { findStatusCode } from "./status-texts.ts";
import { toMember, toPath, toSubject, toTarget, type Value } from "./value.ts";

/** The assertion that an expression such as `responseCode.code === 200` makes. */
export function fromComparison({ comparison, left, target }: Value & { kind: "comparison" }): Expectation {
  if (left.kind === "length") return readLengths(left.of, comparison, target);
  if (left.kind === "type")
    return comparison === "equals"
      ? readType(left.of, { kind: "literal", value: target })
      : { lost: reasons.noAssertion };
  if (left.kind === "statusText" && comparison === "equals") return readStatusText({ kind: "literal", value: target });
  const subject = toSubject(left);
  if (!subject) return { lost: reasons.noAssertion };
  if (target === undefined && comparison !== "exists" && comparison !== "notExists") {
    if (comparison === "equals" || comparison === "notEquals")
      return {
        assertions: [assertion(subject.source, subject.property, comparison === "equals" ? "notExists" : "exists")],
      };
    return { lost: reasons.noAssertion };
  }
  return { assertions: [assertion(subject.source, subject.property, comparison, target)] };
}

const typeNames = new Set(["string", "number", "boolean", "array", "object", "null", "integer"]);

export function readType(of: Value, first: Value | undefined): Expectation {
  const name = toTarget(first)?.target;
  if (of.kind !== "json" || typeof name !== "string") return { lost: reasons.noAssertion };
  const type = name.toLowerCase();
  if (type === "undefined") return { assertions: [assertion("jsonPath", of.path, "notExists")] };
  return typeNames.has(type)
    ? { assertions: [assertion("jsonPath", of.path, "hasType", type)] }
    : { lost: `JSON has no values of the type ${name}.` };
}

export function readStatusText(first: Value | undefined): Expectation {
  const text = String(toTarget(first)?.target ?? "").toLowerCase();
  const code = findStatusCode(text);
  return code
    ? { assertions: [assertion("statusCode", undefined, "equals", code)] }
    : { lost: "The text beside the status code is not compared, since HTTP/2 has none. Compare the code." };
}

const lengthComparisons: Record<string, (target: number) => [string, number] | undefined> = {
  equals: (target) => ["lengthEquals", target],
  greaterThan: (target) => ["lengthGreaterThan", target],
  greaterThanOrEqual: (target) => (target > 0 ? ["lengthGreaterThan", target - 1] : undefined),
  lessThan: (target) => ["lengthLessThan", target],
  lessThanOrEqual: (target) => ["lengthLessThan", target + 1],
};

function readLengths(of: Value, comparison: string | undefined, target: unknown): Expectation {
  const subject = toSubject(of);
  if (!subject || !comparison) return { lost: reasons.noAssertion };
  if (typeof target === "string" && comparison === "equals")
    return { assertions: [assertion(subject.source, subject.property, "lengthEquals", target)] };
  if (comparison === "notEquals" && target === 0)
    return { assertions: [assertion(subject.source, subject.property, "isNotEmpty")] };
  const found =
    typeof target === "number" && Object.hasOwn(lengthComparisons, comparison)
      ? lengthComparisons[comparison]!(target)
      : undefined;
  return found
    ? { assertions: [assertion(subject.source, subject.property, ...found)] }
    : { lost: reasons.noAssertion };
}

export function readLength(of: Value, word: Word, first: Value | undefined): Expectation {
  const target = toTarget(first);
  if (!target) return { lost: later };
  return readLengths(of, Object.hasOwn(synonyms, word.name) ? synonyms[word.name] : undefined, target.target);
}

export function readProperty(path: string, name: string, { given = [] }: Word, value: Value | undefined): Expectation {
  const member = /[.[]/.test(name) ? `${path}${toPath(name).slice(1)}` : toMember(path, name);
  if (given.length < 2) return { assertions: [assertion("jsonPath", member, "exists")] };
  const target = toTarget(value);
  return target ? { assertions: [assertion("jsonPath", member, "equals", target.target)] } : { lost: later };
}

export function readKeys(path: string, { given = [] }: Word, scope: Scope): Expectation {
  const values = given.flatMap((argument) => toTarget(evaluate(argument, scope))?.target);
  if (values.length === 0 || !values.every((value) => typeof value === "string")) return { lost: later };
  return {
    assertions: values.map((name) => assertion("jsonPath", toMember(path, name as string), "exists")),
    lost: "That there are no other members is not asserted. The check of the documented schema says it where the document does.",
  };
}

/** In RE2's spelling. */
export function toPattern({ source, flags }: { source: string; flags: string }): string {
  const known = [...flags].filter((flag) => "ims".includes(flag)).join("");
  return known ? `(?${known})${source}` : source;
}
