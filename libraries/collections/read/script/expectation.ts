import type { Expression, Node } from "acorn";
import { reasons } from "../reasons.ts";
import { evaluate, type Scope } from "./evaluate.ts";
import { assertion, type Expectation, fillers, later, negate, synonyms, type Word } from "./expectation-words.ts";
import { readResponse } from "./response-expectation.ts";
import { toSubject, toTarget, type Value } from "./value.ts";
import {
  fromComparison,
  readKeys,
  readLength,
  readProperty,
  readStatusText,
  readType,
  toPattern,
} from "./value-expectations.ts";

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

/** `to.have.length.above(3)`. */
function readLengthChain(of: Value, next: Word | undefined, scope: Scope): Expectation {
  return next ? readLength(of, next, evaluate(next.given?.[0], scope)) : { lost: reasons.noAssertion };
}
