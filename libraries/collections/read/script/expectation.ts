import type { Expression, Node } from "acorn";
import type { CollectedAssertion } from "../../collection.ts";
import { reasons } from "../reasons.ts";
import { evaluate, type Scope, toInverse } from "./evaluate.ts";
import { findStatusCode } from "./status-texts.ts";
import { toMember, toPath, toSubject, toTarget, type Value } from "./value.ts";

/** One word of a chain such as `to.have.status(200)`, with its arguments if it was called. */
interface Word {
  name: string;
  given: Expression[] | undefined;
}

/** The assertions of an expectation, or why it has none. */
export type Expectation = { assertions: CollectedAssertion[]; lost?: string } | { lost: string };

const fillers = new Set(
  "to be been is that which and has have with at of same but does still also deep own nested itself response".split(
    " ",
  ),
);

const synonyms: Record<string, string> = {
  eql: "equals",
  eqls: "equals",
  equal: "equals",
  eq: "equals",
  above: "greaterThan",
  gt: "greaterThan",
  greaterThan: "greaterThan",
  least: "greaterThanOrEqual",
  gte: "greaterThanOrEqual",
  greaterThanOrEqual: "greaterThanOrEqual",
  below: "lessThan",
  lt: "lessThan",
  lessThan: "lessThan",
  most: "lessThanOrEqual",
  lte: "lessThanOrEqual",
  lessThanOrEqual: "lessThanOrEqual",
  include: "contains",
  includes: "contains",
  contain: "contains",
  contains: "contains",
  string: "contains",
  oneOf: "oneOf",
};

/** Ranges of status codes by their words. */
const statusWords: Record<string, unknown> = {
  info: [100, 199],
  ok: [200, 299],
  success: [200, 299],
  redirection: [300, 399],
  clientError: [400, 499],
  serverError: [500, 599],
  error: [400, 599],
  accepted: 202,
  badRequest: 400,
  unauthorized: 401,
  unauthorised: 401,
  forbidden: 403,
  notFound: 404,
  rateLimited: 429,
};

const assertion = (source: string, property: string | undefined, comparison: string, target?: unknown) => ({
  source,
  property,
  comparison,
  target,
});

const later = "What it compares with is known only when the script runs. Add the assertion in the test's editor.";

/** Reads `pm.expect(…).to…`, `pm.response.to…` and `expect(…).to…`; undefined for any other expression. */
export function readExpectation(node: Node, scope: Scope): Expectation | undefined {
  const words: Word[] = [];
  let current = node as Expression;
  for (;;) {
    if (current.type === "ChainExpression") current = current.expression;
    else if (current.type === "AwaitExpression") current = current.argument;
    else if (current.type === "CallExpression" && current.callee.type === "MemberExpression") {
      const { property, object } = current.callee;
      if (property.type !== "Identifier") return undefined;
      if (property.name === "expect" && words.length > 0)
        return readExpect(current.arguments as Expression[], words, scope);
      words.unshift({ name: property.name, given: current.arguments as Expression[] });
      current = object as Expression;
    } else if (current.type === "CallExpression" && current.callee.type === "Identifier") {
      if (current.callee.name !== "expect") return undefined;
      return readExpect(current.arguments as Expression[], words, scope);
    } else if (current.type === "MemberExpression" && current.property.type === "Identifier" && !current.computed) {
      if (words.some(({ name }) => name === "to") && evaluate(current, scope)?.kind === "response")
        return readResponse(words, scope);
      words.unshift({ name: current.property.name, given: undefined });
      current = current.object as Expression;
    } else if (current.type === "Identifier" && words[0]?.name === "to") {
      return evaluate(current, scope)?.kind === "response" ? readResponse(words, scope) : undefined;
    } else return undefined;
  }
}

function negate(found: Expectation, isNegated: boolean): Expectation {
  if (!isNegated || !("assertions" in found)) return found;
  const assertions = found.assertions.flatMap((one) => {
    // No status code is above 599.
    if (one.source === "statusCode" && Array.isArray(one.target) && one.target[1] === 599)
      return [{ ...one, comparison: "lessThan", target: one.target[0] as unknown }];
    const comparison = toInverse(one.comparison);
    return comparison ? [{ ...one, comparison }] : [];
  });
  return assertions.length === found.assertions.length && assertions.length === 1
    ? { assertions }
    : { lost: reasons.noAssertion };
}

function readExpect([subject]: Expression[], words: Word[], scope: Scope): Expectation {
  const value = evaluate(subject, scope);
  if (!value)
    return {
      lost: "What it looks at is made by the script, and scripts are never run. Add the assertion in the test's editor.",
    };
  if (value.kind === "response") return readResponse(words, scope);
  const isNegated = words.some(({ name }) => name === "not");
  const isPart = ({ name, given }: Word) => given === undefined && /^(includes?|contains?|all)$/.test(name);
  const [word, ...more] = words.filter((one) => !fillers.has(one.name) && one.name !== "not" && !isPart(one));
  if (
    word &&
    /^keys?$/.test(word.name) &&
    words.some(isPart) &&
    value.kind === "json" &&
    !words.some(({ name }) => name === "any")
  ) {
    const found = readKeys(value.path, word, scope);
    const isWhole = words.some(({ name }) => name === "all");
    return negate("assertions" in found && !isWhole ? { assertions: found.assertions } : found, isNegated);
  }
  if (!word) return { lost: reasons.noAssertion };
  const found = readWord(value, [word, ...more], scope);
  return negate(found, isNegated);
}

function readWord(value: Value, [word, next]: [Word, ...Word[]], scope: Scope): Expectation {
  const [first, second] = (word.given ?? []).map((argument) => evaluate(argument, scope));
  if (value.kind === "comparison") return readBoolean(value, word, first);
  if (value.kind === "length") return readLength(value.of, word, first);
  if (value.kind === "type") return readType(value.of, first);
  if (value.kind === "statusText") return readStatusText(first);
  const subject = toSubject(value);
  if (!subject) return { lost: reasons.noAssertion };
  const { source, property } = subject;
  const only = (comparison: string, target?: unknown): Expectation => ({
    assertions: [assertion(source, property, comparison, target)],
  });
  const target = toTarget(first);
  const isJson = value.kind === "json";
  switch (word.name) {
    case "a":
    case "an":
      return first ? readType(value, first) : { lost: reasons.noAssertion };
    case "within": {
      const to = toTarget(second);
      return target && to ? only("between", [target.target, to.target]) : { lost: later };
    }
    case "property":
      return value.kind === "json" && target
        ? readProperty(value.path, String(target.target), word, second)
        : { lost: later };
    case "keys":
    case "key":
      return value.kind === "json" ? readKeys(value.path, word, scope) : { lost: reasons.noAssertion };
    case "length":
    case "lengthOf":
      return word.given
        ? readLength(value, { name: "equal", given: word.given }, first)
        : readLengthChain(value, next, scope);
    case "match":
    case "matches":
      return first?.kind === "pattern" ? only("matches", toPattern(first)) : { lost: later };
    case "true":
    case "false":
      return isJson ? only("equals", word.name === "true") : { lost: reasons.noAssertion };
    case "null":
      return isJson ? only("isNull") : only("notExists");
    case "undefined":
      return only("notExists");
    case "exist":
      return source === "body" ? only("isNotEmpty") : isJson ? only("isNotNull") : only("exists");
    case "empty":
      return only("isEmpty");
    case "ok":
      return isJson
        ? {
            assertions: [assertion(source, property, "isNotNull")],
            lost: "It also fails for false, 0 and an empty text, which the assertion carried over does not.",
          }
        : only("exists");
    default:
      return readComparison(subject, word.name, target, only);
  }
}

function readComparison(
  { source }: { source: string },
  name: string,
  target: { target: unknown } | undefined,
  only: (comparison: string, target?: unknown) => Expectation,
): Expectation {
  const comparison = Object.hasOwn(synonyms, name) ? synonyms[name] : undefined;
  if (!comparison) return { lost: reasons.noAssertion };
  if (!target) return { lost: later };
  const value = target.target;
  if (value === undefined) return comparison === "equals" ? only("notExists") : { lost: reasons.noAssertion };
  if (value === null && source !== "jsonPath") return only("notExists");
  // Members of an object: each of them has to be equal.
  if (comparison === "contains" && typeof value === "object") return { lost: reasons.noAssertion };
  return only(comparison, value);
}

function readBoolean(value: Value & { kind: "comparison" }, word: Word, first: Value | undefined): Expectation {
  const expected =
    word.name === "true" || word.name === "ok" ? true : word.name === "false" ? false : toTarget(first)?.target;
  if (typeof expected !== "boolean") return { lost: reasons.noAssertion };
  const found = fromComparison(value);
  return negate(found, !expected);
}

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

function readType(of: Value, first: Value | undefined): Expectation {
  const name = toTarget(first)?.target;
  if (of.kind !== "json" || typeof name !== "string") return { lost: reasons.noAssertion };
  const type = name.toLowerCase();
  if (type === "undefined") return { assertions: [assertion("jsonPath", of.path, "notExists")] };
  return typeNames.has(type)
    ? { assertions: [assertion("jsonPath", of.path, "hasType", type)] }
    : { lost: `JSON has no values of the type ${name}.` };
}

function readStatusText(first: Value | undefined): Expectation {
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

function readLength(of: Value, word: Word, first: Value | undefined): Expectation {
  const target = toTarget(first);
  if (!target) return { lost: later };
  return readLengths(of, Object.hasOwn(synonyms, word.name) ? synonyms[word.name] : undefined, target.target);
}

/** `to.have.length.above(3)`. */
function readLengthChain(of: Value, next: Word | undefined, scope: Scope): Expectation {
  return next ? readLength(of, next, evaluate(next.given?.[0], scope)) : { lost: reasons.noAssertion };
}

function readProperty(path: string, name: string, { given = [] }: Word, value: Value | undefined): Expectation {
  const member = /[.[]/.test(name) ? `${path}${toPath(name).slice(1)}` : toMember(path, name);
  if (given.length < 2) return { assertions: [assertion("jsonPath", member, "exists")] };
  const target = toTarget(value);
  return target ? { assertions: [assertion("jsonPath", member, "equals", target.target)] } : { lost: later };
}

function readKeys(path: string, { given = [] }: Word, scope: Scope): Expectation {
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

function readResponse(words: Word[], scope: Scope): Expectation {
  const isNegated = words.some(({ name }) => name === "not");
  const named = words.filter(({ name }) => !fillers.has(name) && name !== "not");
  const found = named.map((word) => readResponseWord(word, scope));
  const assertions = found.flatMap((one) => ("assertions" in one ? one.assertions : []));
  const lost = found.find((one) => one.lost !== undefined)?.lost;
  if (assertions.length === 0) return { lost: lost ?? reasons.noAssertion };
  return negate(lost === undefined ? { assertions } : { assertions, lost }, isNegated);
}

function readResponseWord({ name, given }: Word, scope: Scope): Expectation {
  const [first, second] = (given ?? []).map((argument) => toTarget(evaluate(argument, scope)));
  if (name === "json") return { assertions: [assertion("header", "Content-Type", "contains", "json")] };
  if (name === "withBody") return { assertions: [assertion("body", undefined, "isNotEmpty")] };
  if (Object.hasOwn(statusWords, name)) {
    const target = statusWords[name];
    return { assertions: [assertion("statusCode", undefined, Array.isArray(target) ? "between" : "equals", target)] };
  }
  if (given && given.length > 0 && !first) return { lost: later };
  switch (name) {
    case "status":
      if (typeof first?.target === "string" && !first.target.startsWith("{{"))
        return readStatusText({ kind: "literal", value: first.target });
      return { assertions: [assertion("statusCode", undefined, "equals", first?.target)] };
    case "header":
      if (!first) return { lost: reasons.noAssertion };
      return {
        assertions: [
          second
            ? assertion("header", String(first.target), "equals", String(second.target))
            : assertion("header", String(first.target), "exists"),
        ],
      };
    case "body":
      return {
        assertions: [
          first ? assertion("body", undefined, "equals", first.target) : assertion("body", undefined, "isNotEmpty"),
        ],
      };
    case "jsonBody": {
      if (!first) return { assertions: [assertion("header", "Content-Type", "contains", "json")] };
      const path = typeof first.target === "string" ? toPath(first.target) : "$";
      if (typeof first.target !== "string") return { assertions: [assertion("jsonPath", "$", "equals", first.target)] };
      return {
        assertions: [
          second ? assertion("jsonPath", path, "equals", second.target) : assertion("jsonPath", path, "exists"),
        ],
      };
    }
    default:
      return { lost: reasons.noAssertion };
  }
}
