import { fullFormats } from "ajv-formats/dist/formats.js";
import { isJsonNumber } from "../../json/compare-json.ts";
import { compareNumbers, isMultipleOf, type JsonNumber } from "../../json/exact-number.ts";
import type { Json } from "../../json/json.ts";
import type { JsonRecord } from "../../json/json-value.ts";
import type { Report } from "./sample-fault.ts";
import { patternChecker } from "./sample-patterns.ts";

/** Characters. The expressions of some formats take quadratic time. */
const longestFormatted = 2_000;

/** Length in characters as JSON Schema counts them: code points. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export function isWithin(size: number, minimum: unknown, maximum: unknown): boolean {
  return !(typeof minimum === "number" && size < minimum) && !(typeof maximum === "number" && size > maximum);
}

export function checkString(text: string, schema: JsonRecord, report: Report): void {
  if (!isWithin(characterCount(text), schema.minLength, schema.maxLength)) report("length");
  for (const pattern of [schema.pattern, ...((schema.morePatterns as unknown[]) ?? [])]) {
    if (typeof pattern !== "string") continue;
    const matches = patternChecker(pattern);
    if (!matches) report("unknownPattern");
    else if (!matches(text)) report("pattern");
  }
  if (!hasFormat(text, schema.format)) report("format");
}

export function hasFormat(value: string | number, name: unknown): boolean {
  if (typeof name !== "string" || !Object.hasOwn(fullFormats, name)) return true;
  if (typeof value === "string" && value.length > longestFormatted) return true;
  const format = fullFormats[name as keyof typeof fullFormats];
  if (typeof format === "boolean" || typeof format === "string") return true;
  if (format instanceof RegExp) return typeof value !== "string" || format.test(value);
  if (typeof format === "function") return typeof value !== "string" || format(value);
  if (format.async || (format.type ?? "string") !== typeof value) return true;
  const { validate } = format as { validate: RegExp | string | ((value: unknown) => boolean) };
  if (typeof validate === "string") return true;
  return validate instanceof RegExp ? validate.test(String(value)) : validate(value);
}

export function checkNumber(value: JsonNumber, schema: JsonRecord, report: Report): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const low = order(value, minimum);
  const high = order(value, maximum);
  if (low < 0 || high > 0) report("bounds");
  else if (exclusiveMinimum === true ? low === 0 : order(value, exclusiveMinimum) <= 0) report("bounds");
  else if (exclusiveMaximum === true ? high === 0 : order(value, exclusiveMaximum) >= 0) report("bounds");
  if (isNumber(multipleOf) && compareNumbers(multipleOf, 0) > 0 && !isMultipleOf(value, multipleOf))
    report("multipleOf");
  if (!hasFormat(typeof value === "number" ? value : Number(value.text), schema.format)) report("format");
}

const isNumber = (value: unknown): value is JsonNumber => isJsonNumber(value as Json);

/** Negative, 0 or positive; not a number, which compares as false, where there is no bound. */
function order(value: JsonNumber, bound: unknown): number {
  return isNumber(bound) ? compareNumbers(value, bound) : Number.NaN;
}
