import { ExactNumber } from "#libraries/json/exact-number.ts";
import type { Json } from "#libraries/json/json.ts";
import { writeJson } from "#libraries/json/write-json.ts";
import { withExactNumbers } from "#libraries/openapi/exact-schema.ts";
import { shorten } from "#libraries/text/shorten.ts";
import {
  type Components,
  count,
  isRecord,
  isSchema,
  list,
  resolveSchema,
  type SchemaRecord,
  text,
} from "./read-schema.ts";

const maximumShownLength = 200;

/** A JSON value in one short line. */
export function formatValue(value: unknown): string {
  const json = value === undefined ? "" : writeJson(value as Json);
  return shorten(json, maximumShownLength);
}

/** The type in words. `depth` bounds the chain of nested arrays. */
export function typeInWords(schema: SchemaRecord | boolean, components: Components, depth = 0): string {
  if (schema === true) return "any value";
  if (schema === false) return "nothing";
  const types = Array.isArray(schema.type) ? schema.type.filter((type) => typeof type === "string") : [schema.type];
  const words = types
    .map((type) => (type === "array" ? arrayInWords(schema, components, depth) : type))
    .filter((type): type is string => typeof type === "string");
  if (words.length === 0) words.push(typeWithoutWord(schema, components, depth));
  if (schema.nullable === true || schema["x-nullable"] === true) words.push("null");
  return [...new Set(words)].join(" or ");
}

function arrayInWords(schema: SchemaRecord, components: Components, depth: number): string {
  if (Array.isArray(schema.prefixItems)) return `tuple of ${schema.prefixItems.length}`;
  if (!isSchema(schema.items) || schema.items === true || depth > 3) return "array";
  const items = resolveSchema(schema.items, "", components);
  return `array of ${items.componentName ?? typeInWords(items.schema, components, depth + 1)}`;
}

function typeWithoutWord(schema: SchemaRecord, components: Components, depth: number): string {
  for (const [keyword, words] of [
    ["oneOf", "one of"],
    ["anyOf", "any of"],
  ] as const)
    if (list(schema[keyword]).length > 0) return `${words} ${list(schema[keyword]).length}`;
  if (isRecord(schema.properties) || schema.additionalProperties || schema.patternProperties) return "object";
  if (isSchema(schema.items) || Array.isArray(schema.prefixItems)) return arrayInWords(schema, components, depth);
  const values = "const" in schema ? [schema.const] : list(schema.enum);
  if (values.length > 0) return [...new Set(values.map(typeOfValue))].join(" or ");
  return list(schema.allOf).length > 0 ? "object" : "any value";
}

function typeOfValue(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

const plural = (number: number, noun: string) =>
  `${number.toLocaleString("en")} ${number === 1 ? noun : noun.replace(/y$/, "ie")}${number === 1 ? "" : "s"}`;

function range(from: number | undefined, to: number | undefined, noun: string): string | undefined {
  if (from !== undefined && from === to) return `exactly ${plural(from, noun)}`;
  if (from && to !== undefined) return `${from.toLocaleString("en")} to ${plural(to, noun)}`;
  if (from) return `at least ${plural(from, noun)}`;
  return to === undefined ? undefined : `at most ${plural(to, noun)}`;
}

/** A number as the document writes it. */
const bound = (value: unknown) => (value instanceof ExactNumber ? value : count(value));

/** Bounds of numbers; `exclusiveMinimum` is a flag up to 3.0 and a number since 3.1. */
function bounds(schema: SchemaRecord): (string | undefined)[] {
  const strict = { from: schema.exclusiveMinimum === true, to: schema.exclusiveMaximum === true };
  const above = bound(schema.exclusiveMinimum) ?? (strict.from ? bound(schema.minimum) : undefined);
  const below = bound(schema.exclusiveMaximum) ?? (strict.to ? bound(schema.maximum) : undefined);
  const from = strict.from ? undefined : bound(schema.minimum);
  const to = strict.to ? undefined : bound(schema.maximum);
  return [
    above === undefined ? undefined : `more than ${above}`,
    below === undefined ? undefined : `less than ${below}`,
    from !== undefined && to !== undefined ? `${from} to ${to}` : undefined,
    from !== undefined && to === undefined ? `at least ${from}` : undefined,
    to !== undefined && from === undefined ? `at most ${to}` : undefined,
    bound(schema.multipleOf) === undefined ? undefined : `a multiple of ${schema.multipleOf}`,
  ];
}

/** The rules of one schema, without those of its parts. */
export function rulesInWords(schema: SchemaRecord): string[] {
  const rules = [
    ...bounds(withExactNumbers(schema)),
    range(count(schema.minLength), count(schema.maxLength), "character"),
    text(schema.pattern) && `matches ${shorten(schema.pattern as string, maximumShownLength)}`,
    range(count(schema.minItems), count(schema.maxItems), "item"),
    schema.uniqueItems === true ? "no item twice" : undefined,
    range(count(schema.minProperties), count(schema.maxProperties), "property"),
    schema.additionalProperties === false || schema.unevaluatedProperties === false ? "no other properties" : undefined,
    text(schema.contentEncoding) && `encoded as ${schema.contentEncoding}`,
    text(schema.contentMediaType) && `holds ${schema.contentMediaType}`,
    discriminatorInWords(schema.discriminator),
    ...dependenciesInWords(schema.dependentRequired),
  ];
  return rules.filter((rule): rule is string => Boolean(rule));
}

function discriminatorInWords(discriminator: unknown): string | undefined {
  const name = isRecord(discriminator) ? text(discriminator.propertyName) : text(discriminator);
  return name && `${name} tells which`;
}

function dependenciesInWords(dependencies: unknown): string[] {
  if (!isRecord(dependencies)) return [];
  return Object.entries(dependencies).map(([name, needed]) => `${name} needs ${list(needed).filter(text).join(", ")}`);
}
