import { type Json, typeOfJson } from "../../../kit/json/json.ts";
import type { Assertion, AssertionSource, Comparison } from "../../../test-registry/contract/assertions.ts";
import { describeValue, describeWithType, nameOfType, type Show } from "../describe-value.ts";
import { lengthOf, subjectOf } from "./comparisons.ts";
import type { Found } from "./find-value.ts";

const units: Partial<Record<AssertionSource, string>> = {
  responseTime: " ms",
  bodySize: " bytes",
  certificate: " days",
};

function list(target: unknown): string {
  return Array.isArray(target)
    ? (target as Json[]).map((item) => describeValue(item)).join(", ")
    : describeValue(target as Json);
}

function range(target: unknown, unit: string): string {
  const [from, to] = Array.isArray(target) ? (target as Json[]) : [target as Json, target as Json];
  return `from ${describeValue(from ?? null)} to ${describeValue(to ?? null)}${unit}`;
}

/** What was expected of a number that has a name: `below 500 ms`. */
function numberPhrase(comparison: Comparison, target: unknown, unit: string): string {
  const value = () => `${describeValue((target ?? null) as Json)}${unit}`;
  const phrases: Partial<Record<Comparison, () => string>> = {
    equals: value,
    notEquals: () => `other than ${value()}`,
    lessThan: () => `below ${value()}`,
    lessThanOrEqual: () => `of at most ${value()}`,
    greaterThan: () => `above ${value()}`,
    greaterThanOrEqual: () => `of at least ${value()}`,
    between: () => range(target, unit),
    oneOf: () => `one of ${list(target)}`,
    noneOf: () => `none of ${list(target)}`,
    exists: () => "to be there",
    notExists: () => "not to be there",
  };
  return phrases[comparison]?.() ?? comparison;
}

/** What was expected of any value: `a number greater than 0`. */
export function valuePhrase(comparison: Comparison, target: unknown): string {
  const value = () => describeValue((target ?? null) as Json);
  const phrases: Record<Comparison, () => string> = {
    equals: value,
    notEquals: () => `anything but ${value()}`,
    lessThan: () => `a number less than ${value()}`,
    lessThanOrEqual: () => `a number of at most ${value()}`,
    greaterThan: () => `a number greater than ${value()}`,
    greaterThanOrEqual: () => `a number of at least ${value()}`,
    between: () => `a number ${range(target, "")}`,
    contains: () => `something that contains ${value()}`,
    notContains: () => `something without ${value()}`,
    oneOf: () => `one of ${list(target)}`,
    noneOf: () => `none of ${list(target)}`,
    startsWith: () => `a text that starts with ${value()}`,
    endsWith: () => `a text that ends with ${value()}`,
    matches: () => `a text that matches ${String(target)}`,
    notMatches: () => `a text that does not match ${String(target)}`,
    exists: () => "something",
    notExists: () => "nothing",
    isNull: () => "null",
    isNotNull: () => "a value other than null",
    isEmpty: () => "something empty",
    isNotEmpty: () => "something that is not empty",
    hasType: () => nameOfType(String(target)),
    lengthEquals: () => `a length of ${value()}`,
    lengthLessThan: () => `a length below ${value()}`,
    lengthGreaterThan: () => `a length above ${value()}`,
    matchesSchema: () => "what the schema describes",
  };
  return phrases[comparison]();
}

function capitalize(text: string): string {
  return /^[a-z]/.test(text) ? text[0]?.toUpperCase() + text.slice(1) : text;
}

function foundPhrase(value: Json, assertion: Assertion, show: Show): string {
  const { comparison, target } = assertion;
  const length = comparison.startsWith("length") ? lengthOf(value) : undefined;
  if (length !== undefined) return `a length of ${length}`;
  const sameType = target !== undefined && typeOfJson(value) === typeOfJson(target as Json);
  return sameType ? describeValue(value, show) : describeWithType(value, show);
}

/** Counted or measured here: a number that no server chose the digits of, so that no secret is in it. */
export function isMeasure(source: AssertionSource): boolean {
  return ["statusCode", "responseTime", "bodySize", "certificate"].includes(source);
}

/** One sentence: what was expected, what came. */
export function sentenceFor(assertion: Assertion, found: Found, show: Show = (value) => value): string {
  const { source, comparison, target } = assertion;
  if (isMeasure(source)) {
    const unit = units[source] ?? "";
    const expected = `Expected ${found.place} ${numberPhrase(comparison, target, unit)}`;
    return found.kind === "missing"
      ? `${expected}, but ${found.reason}.`
      : `${expected}, got ${describeValue(found.value)}${unit}.`;
  }
  const expected = `${capitalize(found.place)}: expected ${valuePhrase(comparison, show(target))}`;
  if (found.kind === "missing") return `${expected}, but ${found.reason}.`;
  return `${expected}, found ${foundPhrase(subjectOf(found, comparison, target), assertion, show)}.`;
}
