import type { Assertion, AssertionSource, Comparison } from "#contracts/test-registry/assertions.ts";
import { getJsonType, type Json } from "../../json/json.ts";
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

/** The expectation: the comparison's words around the target. */
type Phrase = (target: unknown, unit: string) => string;

const value = (target: unknown) => describeValue((target ?? null) as Json);
/** A pattern or a type name, without quotes. Other services may send a target of any type. */
const bare = (target: unknown) => (typeof target === "string" ? target : value(target));
const quantity: Phrase = (target, unit) => `${value(target)}${unit}`;

const numberPhrases: Partial<Record<Comparison, Phrase>> = {
  equals: quantity,
  notEquals: (target, unit) => `other than ${quantity(target, unit)}`,
  lessThan: (target, unit) => `below ${quantity(target, unit)}`,
  lessThanOrEqual: (target, unit) => `of at most ${quantity(target, unit)}`,
  greaterThan: (target, unit) => `above ${quantity(target, unit)}`,
  greaterThanOrEqual: (target, unit) => `of at least ${quantity(target, unit)}`,
  between: range,
  oneOf: (target) => `one of ${list(target)}`,
  noneOf: (target) => `none of ${list(target)}`,
  exists: () => "to be there",
  notExists: () => "not to be there",
};

/** The expectation for a number with a unit: `below 500 ms`. */
function numberPhrase(comparison: Comparison, target: unknown, unit: string): string {
  return numberPhrases[comparison]?.(target, unit) ?? comparison;
}

const valuePhrases: Record<Comparison, (target: unknown) => string> = {
  equals: value,
  notEquals: (target) => `anything but ${value(target)}`,
  lessThan: (target) => `a number less than ${value(target)}`,
  lessThanOrEqual: (target) => `a number of at most ${value(target)}`,
  greaterThan: (target) => `a number greater than ${value(target)}`,
  greaterThanOrEqual: (target) => `a number of at least ${value(target)}`,
  between: (target) => `a number ${range(target, "")}`,
  before: (target) => `a date before ${bare(target)}`,
  after: (target) => `a date after ${bare(target)}`,
  within: (target) => `a date within ${Array.isArray(target) ? target.map(bare).join(" of ") : bare(target)}`,
  contains: (target) => `something that contains ${value(target)}`,
  notContains: (target) => `something without ${value(target)}`,
  oneOf: (target) => `one of ${list(target)}`,
  noneOf: (target) => `none of ${list(target)}`,
  startsWith: (target) => `a text that starts with ${value(target)}`,
  endsWith: (target) => `a text that ends with ${value(target)}`,
  matches: (target) => `a text that matches ${bare(target)}`,
  notMatches: (target) => `a text that does not match ${bare(target)}`,
  exists: () => "something",
  notExists: () => "nothing",
  isNull: () => "null",
  isNotNull: () => "a value other than null",
  isEmpty: () => "something empty",
  isNotEmpty: () => "something that is not empty",
  hasType: (target) => nameOfType(bare(target)),
  lengthEquals: (target) => `a length of ${value(target)}`,
  lengthLessThan: (target) => `a length below ${value(target)}`,
  lengthGreaterThan: (target) => `a length above ${value(target)}`,
  matchesSchema: () => "what the schema describes",
};

/** The expectation for any value: `a number greater than 0`. */
export function valuePhrase(comparison: Comparison, target: unknown): string {
  return valuePhrases[comparison](target);
}

export function capitalize(text: string): string {
  return /^[a-z]/.test(text) ? text[0]?.toUpperCase() + text.slice(1) : text;
}

function foundPhrase(value: Json, assertion: Assertion, show: Show): string {
  const { comparison, target } = assertion;
  const length = comparison.startsWith("length") ? lengthOf(value) : undefined;
  if (length !== undefined) return `a length of ${length}`;
  const sameType = target !== undefined && getJsonType(value) === getJsonType(target as Json);
  return sameType ? describeValue(value, show) : describeWithType(value, show);
}

/** Counted or measured by the runner: the server does not choose the digits, so they contain no secret. */
export function isMeasure(source: AssertionSource): boolean {
  return ["statusCode", "responseTime", "bodySize", "certificate"].includes(source);
}

/** `$.price: expected a number greater than 0` */
export function expectationOf({ comparison, target }: Assertion, found: Found, show: Show): string {
  return `${capitalize(found.place)}: expected ${valuePhrase(comparison, show(target))}`;
}

/** One sentence with the expected and the actual value. */
export function sentenceFor(assertion: Assertion, found: Found, show: Show = (value) => value): string {
  const { source, comparison, target } = assertion;
  if (isMeasure(source)) {
    const unit = units[source] ?? "";
    const expected = `Expected ${found.place} ${numberPhrase(comparison, target, unit)}`;
    return found.kind === "missing"
      ? `${expected}, but ${found.reason}.`
      : `${expected}, got ${describeValue(found.value)}${unit}.`;
  }
  const expected = expectationOf(assertion, found, show);
  if (found.kind === "missing") return `${expected}, but ${found.reason}.`;
  return `${expected}, found ${foundPhrase(subjectOf(found, comparison, target), assertion, show)}.`;
}
