import { compareNumbers, ExactNumber } from "#libraries/json/exact-number.ts";
import type { Json } from "#libraries/json/json.ts";
import { getMember, type JsonRecord } from "#libraries/json/json-value.ts";
import { nearestDouble, replaceExactNumbers, writeJson } from "#libraries/json/write-json.ts";
import { exactNumbersKeyword, valueKeywords } from "#libraries/openapi/exact-schema.ts";

/** Objects and lists with exact numbers, by the copies with doubles that are read in their place. */
const written = new WeakMap<object, Json>();

/** An integer that a double may round. It also matches in strings, which only costs time. */
const maybeRounded = /(?:^|[:[,\s])-?\d{16,}(?=[\s,\]}]|$)/;

/** Digits alone are looked for first: 20 MB take some 50 ms, a tenth of parsing them. */
export function mayHaveRounded(text: string): boolean {
  return /\d{16}/.test(text) && maybeRounded.test(text);
}

/** The value with doubles, for readers that know no other numbers. Its parts are remembered with their digits. */
export function rememberDigits(value: Json): unknown {
  return replaceExactNumbers(value, nearestDouble, (copy, original) => written.set(copy, original));
}

/** The JSON text of a member that has a number with more digits than a double. */
export function findExactText(holder: object, name: string): string | undefined {
  const original = written.get(holder);
  const value = original === undefined ? undefined : (getMember(original, name) as Json | undefined);
  return value !== undefined && hasRounded(value) ? writeJson(value) : undefined;
}

/** Adds the texts of a schema's keywords to its description; texts that the document has under this name don't count. */
export function addExactTexts(described: JsonRecord, schema: JsonRecord): void {
  delete described[exactNumbersKeyword];
  if (!written.has(schema)) return;
  const texts: JsonRecord = {};
  for (const keyword of valueKeywords) {
    const text = findExactText(schema, keyword);
    if (text !== undefined) texts[keyword] = text;
  }
  if (Object.keys(texts).length > 0) described[exactNumbersKeyword] = texts;
}

/** `1.0` and `1e5` keep their text, too, but are the doubles that they are read as. */
function hasRounded(value: Json): boolean {
  if (value instanceof ExactNumber) return compareNumbers(nearestDouble(value), value) !== 0;
  if (Array.isArray(value)) return value.some(hasRounded);
  return typeof value === "object" && value !== null && Object.values(value).some(hasRounded);
}
