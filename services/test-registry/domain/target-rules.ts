import type { AssertionSource, Comparison } from "#contracts/test-registry/assertions.ts";
import { isJsonNumber } from "#libraries/json/compare-json.ts";
import { compareNumbers, isWhole, type JsonNumber } from "#libraries/json/exact-number.ts";
import type { Json } from "#libraries/json/json.ts";
import { parseMoment, parseSpan } from "#libraries/moment/moment.ts";
import { compilePattern, UnsupportedPattern } from "#libraries/pattern/pattern.ts";

type TargetRule = (target: unknown) => string | undefined;

const typeNames = ["null", "boolean", "number", "integer", "string", "array", "object"];

/** A target with a variable is validated when the variable is replaced. */
function holdsVariable(target: unknown): boolean {
  return typeof target === "string" && /\{\{[^{}]+\}\}/.test(target);
}

const isNumber: TargetRule = (target) =>
  (target !== undefined && isJsonNumber(target as Json)) || holdsVariable(target) ? undefined : "Enter a number";

const isText: TargetRule = (target) => (typeof target === "string" ? undefined : "Enter text");

const isCount = (target: JsonNumber) => isWhole(target) && compareNumbers(target, 0) >= 0;

const isLength: TargetRule = (target) =>
  holdsVariable(target) || (isNumber(target) === undefined && isCount(target as JsonNumber))
    ? undefined
    : "Enter a whole number, 0 or more";

const isList: TargetRule = (target) =>
  Array.isArray(target) && target.length > 0 ? undefined : 'Enter a list with at least one value, e.g. [200, "a"]';

const isRange: TargetRule = (target) => {
  if (!Array.isArray(target) || target.length !== 2) return "Enter two numbers, e.g. [1, 10]";
  const [from, to] = target as unknown[];
  if (isNumber(from) || isNumber(to)) return "Enter two numbers, e.g. [1, 10]";
  if (holdsVariable(from) || holdsVariable(to)) return undefined;
  const isReversed = compareNumbers(from as JsonNumber, to as JsonNumber) > 0;
  return isReversed ? "The first number must not be larger than the second" : undefined;
};

const isMoment: TargetRule = (target) => {
  const isDate =
    isNumber(target) === undefined ||
    (typeof target === "string" && (target.trim() === "now" || parseMoment(target) !== undefined));
  return isDate || holdsVariable(target) ? undefined : "Enter a date, e.g. 2026-11-27T21:00:00Z, or now";
};

const isSpan: TargetRule = (target) => {
  const [span, moment] = Array.isArray(target) && target.length === 2 ? (target as unknown[]) : [];
  const isLength = typeof span === "string" && (parseSpan(span) !== undefined || holdsVariable(span));
  return isLength && isMoment(moment) === undefined
    ? undefined
    : "Enter a span and a date, e.g. 1 min of now. Units are ms, s, min, h and d";
};

const isSha256: TargetRule = (target) =>
  (typeof target === "string" && /^[\da-f]{64}$/i.test(target)) || holdsVariable(target)
    ? undefined
    : "Enter a SHA-256 as 64 hex digits";

const isTypeName: TargetRule = (target) =>
  typeNames.includes(target as string) || holdsVariable(target)
    ? undefined
    : `Enter one of ${typeNames.slice(0, -1).join(", ")} or ${typeNames.at(-1)}`;

const isPattern: TargetRule = (target) => {
  if (typeof target !== "string") return "Enter a regular expression as text";
  if (holdsVariable(target)) return undefined;
  try {
    compilePattern(target);
    return undefined;
  } catch (error) {
    if (error instanceof UnsupportedPattern) return error.message;
    throw error;
  }
};

const isSchema: TargetRule = (target) =>
  typeof target === "boolean" || (typeof target === "object" && target !== null && !Array.isArray(target))
    ? undefined
    : 'Enter a JSON Schema, e.g. {"type": "array"}';

const isGiven: TargetRule = (target) => (target === undefined ? "Say what to compare with" : undefined);
const isAbsent: TargetRule = () => undefined;

const rules: Record<Comparison, TargetRule> = {
  equals: isGiven,
  notEquals: isGiven,
  lessThan: isNumber,
  lessThanOrEqual: isNumber,
  greaterThan: isNumber,
  greaterThanOrEqual: isNumber,
  between: isRange,
  before: isMoment,
  after: isMoment,
  within: isSpan,
  contains: isGiven,
  notContains: isGiven,
  oneOf: isList,
  noneOf: isList,
  startsWith: isText,
  endsWith: isText,
  matches: isPattern,
  notMatches: isPattern,
  exists: isAbsent,
  notExists: isAbsent,
  isNull: isAbsent,
  isNotNull: isAbsent,
  isEmpty: isAbsent,
  isNotEmpty: isAbsent,
  hasType: isTypeName,
  lengthEquals: isLength,
  lengthLessThan: isLength,
  lengthGreaterThan: isLength,
  matchesSchema: isSchema,
};

const numberSources: readonly AssertionSource[] = ["statusCode", "responseTime", "bodySize", "certificate"];
const textSources: readonly AssertionSource[] = ["header", "cookie", "body", "charset", "xPath", "url"];

/** Equality is by type, so a target of a type that the source never has would always fail. */
function findTypeError(source: AssertionSource, target: unknown): string | undefined {
  const isScalar = (value: unknown) => typeof value === "string" || isNumber(value) === undefined;
  if (numberSources.includes(source)) return isNumber(target);
  if (source === "bodySha256") return isSha256(target);
  if (textSources.includes(source)) return isScalar(target) ? undefined : "Enter text";
  return undefined;
}

/** Why the target does not fit; undefined when it does. */
export function findTargetError(source: AssertionSource, comparison: Comparison, target: unknown): string | undefined {
  if (source === "schema" && target === undefined) return undefined;
  const ruleError = rules[comparison](target);
  if (ruleError) return ruleError;
  if (["equals", "notEquals", "contains", "notContains"].includes(comparison)) return findTypeError(source, target);
  if (comparison !== "oneOf" && comparison !== "noneOf") return undefined;
  for (const item of target as unknown[]) {
    const itemError = findTypeError(source, item);
    if (itemError) return `${itemError} in each place of the list`;
  }
  return undefined;
}
