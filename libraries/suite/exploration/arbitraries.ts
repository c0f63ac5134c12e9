import type { Arbitrary } from "fast-check";
import * as fc from "fast-check";
import { isRecord, type JsonRecord, toList, toRecord, toTexts } from "#libraries/json/json-value.ts";
import type { SampleSource } from "#libraries/openapi/sample/sampler.ts";
import { getSchemaType } from "#libraries/openapi/sample/schema-type.ts";
import { flattenSchema } from "#libraries/openapi/schema-parts.ts";
import { numberRange, textRange } from "./ranges.ts";

/** Levels of objects and lists in a generated value. */
const deepest = 4;
const longestText = 60;
const longestList = 4;

/**
 * Values for a schema, which shrink towards simple ones. Keywords that combine schemas, such as `not`, may forbid some of
 * them: they are to be checked.
 * @returns undefined for a schema whose values can't be generated
 */
export function arbitraryOf(schema: unknown, source: SampleSource): Arbitrary<unknown> | undefined {
  return make(schema, source, 0);
}

function make(raw: unknown, source: SampleSource, depth: number): Arbitrary<unknown> | undefined {
  const schema = flattenSchema(raw, source);
  if (!schema || depth > deepest) return undefined;
  if (schema.const !== undefined) return fc.constant(schema.const);
  const listed = toList(schema.enum);
  if (listed.length > 0) return fc.constantFrom(...listed);
  const alternatives = toList(schema.oneOf ?? schema.anyOf);
  if (alternatives.length > 0) {
    const { oneOf: _one, anyOf: _any, ...own } = schema;
    const made = alternatives.flatMap((one) => make({ allOf: [own, one] }, source, depth) ?? []);
    return made.length === 0 ? undefined : fc.oneof(...made);
  }
  const own = makeOfType(schema, source, depth);
  const isNullable = schema.nullable === true || [schema.type].flat().includes("null");
  return own && isNullable ? fc.option(own, { freq: 6 }) : own;
}

function makeOfType(schema: JsonRecord, source: SampleSource, depth: number): Arbitrary<unknown> | undefined {
  switch (getSchemaType(schema)) {
    case "string":
      return makeText(schema);
    case "integer":
    case "number":
      return makeNumber(schema);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return makeList(schema, source, depth);
    case "object":
      return makeObject(schema, source, depth);
    default:
      return undefined;
  }
}

const formats: Record<string, () => Arbitrary<unknown>> = {
  uuid: () => fc.uuid(),
  date: () => dates().map((date) => date.toISOString().slice(0, 10)),
  "date-time": () => dates().map((date) => date.toISOString()),
  // RFC 5321 allows what few servers do.
  email: () => fc.stringMatching(/^[a-z]{1,12}@[a-z]{1,12}\.(com|org|dev)$/),
  uri: () => fc.webUrl(),
  url: () => fc.webUrl(),
  ipv4: () => fc.ipV4(),
  ipv6: () => fc.ipV6(),
  hostname: () => fc.domain(),
};

const dates = () =>
  fc.date({ min: new Date("1970-01-01T00:00:00Z"), max: new Date("2199-12-31T23:59:59Z"), noInvalidDate: true });

function makeText(schema: JsonRecord): Arbitrary<unknown> | undefined {
  const { format, pattern } = schema;
  if (typeof format === "string" && formats[format]) return formats[format]();
  if (format !== undefined && format !== "password") return undefined;
  const { minimum, maximum } = textRange(schema);
  if (typeof pattern === "string") return matching(pattern);
  const maxLength = Math.min(maximum, Math.max(minimum, longestText));
  return fc.string({ unit: character, minLength: minimum, maxLength }).filter((text) => text.trim() === text);
}

function matching(pattern: string): Arbitrary<string> | undefined {
  try {
    return fc.stringMatching(new RegExp(pattern, "u"));
  } catch {
    // Of another dialect, or with what can't be generated, such as a look-behind.
    return undefined;
  }
}

/** Of all planes, but without what no text should have: control characters, and what this product reads as a placeholder. */
const character = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyzABCXYZ0123456789") },
  { weight: 1, arbitrary: fc.constantFrom(..." '\"\\/<>&%#?;:,.-_()[]|$@!*=+") },
  { weight: 1, arbitrary: fc.constantFrom(..."äöüßéñøłşçДжλ漢字かな한글عربעברไทย😀👍𝒳") },
);

function makeNumber(schema: JsonRecord): Arbitrary<number> | undefined {
  const { minimum: min, maximum: max, step } = numberRange(schema);
  if (min > max) return undefined;
  if (step !== undefined) {
    const [low, high] = [Math.ceil(min / step), Math.floor(max / step)];
    return low > high ? undefined : fc.integer({ min: low, max: high }).map((count) => count * step);
  }
  // Money has two digits; binary fractions of 53 bits are no number that people type.
  return fc.integer({ min: Math.ceil(min * 100), max: Math.floor(max * 100) }).map((count) => count / 100);
}

function makeList(schema: JsonRecord, source: SampleSource, depth: number): Arbitrary<unknown> | undefined {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems } = schema;
  const item = make(schema.items, source, depth + 1);
  const minLength = Number(minItems);
  if (!item || minLength > 20) return undefined;
  const lengths = { minLength, maxLength: Math.min(Number(maxItems), Math.max(minLength, longestList)) };
  return uniqueItems === true
    ? fc.uniqueArray(item, { ...lengths, selector: (one) => JSON.stringify(one) })
    : fc.array(item, lengths);
}

function makeObject(schema: JsonRecord, source: SampleSource, depth: number): Arbitrary<unknown> | undefined {
  const required = toTexts(schema.required);
  const members: Record<string, Arbitrary<unknown>> = {};
  for (const [name, member] of Object.entries(toRecord(schema.properties))) {
    const flat = flattenSchema(member, source);
    if (isRecord(flat) && flat.readOnly === true) continue;
    const made = make(member, source, depth + 1);
    if (made) members[name] = made;
    else if (required.includes(name)) return undefined;
  }
  if (required.some((name) => !members[name])) return undefined;
  return fc.record(members, { requiredKeys: required as never[], noNullPrototype: true });
}
