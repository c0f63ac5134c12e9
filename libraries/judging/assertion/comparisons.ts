import type { Comparison } from "#contracts/test-registry/assertions.ts";
import { equalJson, isJsonNumber } from "../../json/compare-json.ts";
import { compareNumbers, isWhole, numberFromText } from "../../json/exact-number.ts";
import { getJsonType, isJsonObject, type Json } from "../../json/json.ts";
import { compilePattern, type Pattern, UnsupportedPattern } from "../../pattern/pattern.ts";
import { Unjudgeable } from "../judged-response.ts";
import type { Found } from "./find-value.ts";

/**
 * Comparisons that pass for a missing value: a path that is not found fails every positive comparison and passes the
 * negative ones, since no value exists that could be equal, contain or match. `isNotNull` and `isNotEmpty` require a
 * value, so they fail.
 */
const holdsForNothing: readonly Comparison[] = ["notExists", "notEquals", "notContains", "noneOf", "notMatches"];

type Value = Extract<Found, { kind: "value" }>;

function invalid(message: string): never {
  throw new Unjudgeable("invalid_assertion", message);
}

function requireNumber(target: unknown) {
  const value = target as Json;
  return target !== undefined && isJsonNumber(value) ? value : invalid("The target is not a number.");
}

function requireText(target: unknown): string {
  return typeof target === "string" ? target : invalid("The target is not a text.");
}

function requireList(target: unknown): Json[] {
  return Array.isArray(target) ? (target as Json[]) : invalid("The target is not a list.");
}

const jsonNumber = /^\s*(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*$/;

/** The value as a number. A numeric header or cookie counts as one, a JSON string never does. */
function numberOf(value: Json, text: boolean) {
  if (isJsonNumber(value)) return value;
  const written = text && typeof value === "string" ? jsonNumber.exec(value)?.[1] : undefined;
  return written === undefined ? undefined : numberFromText(written);
}

function equals(value: Json, text: boolean, target: Json): boolean {
  const number = text && isJsonNumber(target) ? numberOf(value, true) : undefined;
  return equalJson(number ?? value, target);
}

function compareOrder(found: Value, value: Json, target: unknown): number | undefined {
  const wanted = requireNumber(target);
  const number = numberOf(value, found.text);
  return number === undefined ? undefined : compareNumbers(number, wanted);
}

function contains(value: Json, text: boolean, target: unknown): boolean | undefined {
  if (target === undefined) invalid("The assertion has no target.");
  if (Array.isArray(value)) return value.some((item) => equalJson(item, target as Json));
  if (typeof value !== "string") return undefined;
  if (typeof target === "string") return value.includes(target);
  return text && isJsonNumber(target as Json) ? value.includes(String(target)) : undefined;
}

/** Characters of a text, items of a list or members of an object. */
export function lengthOf(value: Json): number | undefined {
  if (typeof value === "string") return [...value].length;
  if (Array.isArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : undefined;
}

function compareLength(value: Json, target: unknown): number | undefined {
  const wanted = requireNumber(target);
  const length = lengthOf(value);
  return length === undefined ? undefined : compareNumbers(length, wanted);
}

const patterns = new Map<string, Pattern>();

function patternOf(target: unknown): Pattern {
  const source = requireText(target);
  const known = patterns.get(source);
  if (known) return known;
  try {
    const pattern = compilePattern(source);
    if (patterns.size > 500) patterns.clear();
    patterns.set(source, pattern);
    return pattern;
  } catch (error) {
    if (error instanceof UnsupportedPattern) throw new Unjudgeable("unsupported_pattern", error.message);
    throw error;
  }
}

function hasType(value: Json, target: unknown): boolean {
  const wanted = requireText(target);
  if (wanted !== "integer") return getJsonType(value) === wanted;
  return isJsonNumber(value) && isWhole(value);
}

/**
 * The value to compare. When a JSONPath that may select several values selected exactly one, a comparison that needs a
 * single value gets that one: `$.items[?@.id == 7].price` equals 12.
 */
export function subjectOf(found: Value, comparison: Comparison, target: unknown): Json {
  if (found.only === undefined) return found.value;
  switch (comparison) {
    case "equals":
    case "notEquals":
      return Array.isArray(target) ? found.value : found.only;
    case "oneOf":
    case "noneOf":
      return Array.isArray(target) && target.some(Array.isArray) ? found.value : found.only;
    case "hasType":
      return target === "array" ? found.value : found.only;
    case "lessThan":
    case "lessThanOrEqual":
    case "greaterThan":
    case "greaterThanOrEqual":
    case "between":
    case "before":
    case "after":
    case "within":
    case "startsWith":
    case "endsWith":
    case "matches":
    case "notMatches":
    case "isNull":
    case "isNotNull":
      return found.only;
    default:
      return found.value;
  }
}

function isPresent(found: Value): boolean {
  if (found.text) return found.place !== "body" || found.value !== "";
  return found.pointer !== undefined || !Array.isArray(found.value) || found.value.length > 0;
}

/**
 * JSON is compared by type, never by text.
 * @throws Unjudgeable when the target does not fit the comparison
 */
export function holds(found: Found, comparison: Comparison, target: unknown): boolean {
  if (found.kind === "missing") return holdsForNothing.includes(comparison);
  const value = subjectOf(found, comparison, target);
  const { text } = found;
  switch (comparison) {
    case "equals":
    case "notEquals":
      if (target === undefined) invalid("The assertion has no target.");
      return equals(value, text, target as Json) === (comparison === "equals");
    case "lessThan":
      return (compareOrder(found, value, target) ?? 1) < 0;
    case "lessThanOrEqual":
      return (compareOrder(found, value, target) ?? 1) <= 0;
    case "greaterThan":
      return (compareOrder(found, value, target) ?? -1) > 0;
    case "greaterThanOrEqual":
      return (compareOrder(found, value, target) ?? -1) >= 0;
    case "between": {
      const [from, to] = requireList(target);
      return (compareOrder(found, value, from) ?? -1) >= 0 && (compareOrder(found, value, to) ?? 1) <= 0;
    }
    case "contains":
      return contains(value, text, target) ?? false;
    case "notContains":
      return contains(value, text, target) === false;
    case "oneOf":
      return requireList(target).some((item) => equals(value, text, item));
    case "noneOf":
      return !requireList(target).some((item) => equals(value, text, item));
    case "startsWith":
      return typeof value === "string" && value.startsWith(requireText(target));
    case "endsWith":
      return typeof value === "string" && value.endsWith(requireText(target));
    case "matches":
      return patternOf(target) !== undefined && typeof value === "string" && patternOf(target).test(value);
    case "notMatches":
      return patternOf(target) !== undefined && typeof value === "string" && !patternOf(target).test(value);
    case "exists":
      return isPresent(found);
    case "notExists":
      return !isPresent(found);
    case "isNull":
      return value === null;
    case "isNotNull":
      return value !== null;
    case "isEmpty":
      return lengthOf(value) === 0;
    case "isNotEmpty":
      return (lengthOf(value) ?? 0) > 0;
    case "hasType":
      return hasType(value, target);
    case "lengthEquals":
      return compareLength(value, target) === 0;
    case "lengthLessThan":
      return (compareLength(value, target) ?? 1) < 0;
    case "lengthGreaterThan":
      return (compareLength(value, target) ?? -1) > 0;
    case "before":
    case "after":
    case "within":
    case "matchesSchema":
      throw new Error("dates and schemas are judged elsewhere");
  }
}
