import { fullFormats } from "ajv-formats/dist/formats.js";
import { isMultipleOf } from "../../json/exact-number.ts";
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

export function checkNumber(value: number, schema: JsonRecord, report: Report): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (!isWithin(value, minimum, maximum)) report("bounds");
  else if (
    exclusiveMinimum === true ? value === minimum : typeof exclusiveMinimum === "number" && value <= exclusiveMinimum
  )
    report("bounds");
  else if (
    exclusiveMaximum === true ? value === maximum : typeof exclusiveMaximum === "number" && value >= exclusiveMaximum
  )
    report("bounds");
  if (typeof multipleOf === "number" && multipleOf > 0 && !isMultipleOf(value, multipleOf)) report("multipleOf");
  if (!hasFormat(value, schema.format)) report("format");
}
