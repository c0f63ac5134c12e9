import { isJsonNumber } from "../../json/compare-json.ts";
import { canonicalNumber, compareNumbers, type JsonNumber } from "../../json/exact-number.ts";
import type { Json } from "../../json/json.ts";
import { isRecord, type JsonRecord, toRecord } from "../../json/json-value.ts";
import { canonicalText } from "../../json/write-json.ts";
import { withExactNumbers } from "../exact-schema.ts";
import { addSize, addValues, type FlatSchema, strictest } from "./flat-schema.ts";

const texts = new Set(["title", "description", "summary", "example", "examples", "externalDocs", "$comment"]);
/** Read together with another keyword, by the flattener, or without effect on values. */
const elsewhere = new Set([
  ...["$ref", "allOf", "anyOf", "oneOf", "nullable", "then", "else", "prefixItems", "additionalItems"],
  ...["unevaluatedItems", "minContains", "maxContains", "$defs", "definitions", "id", "$schema", "$vocabulary"],
]);
const typeNames = new Set(["null", "boolean", "number", "integer", "string", "array", "object"]);

type Read = (flat: FlatSchema, value: unknown, schema: JsonRecord) => void;

const readSize = (word: string): Read => {
  return (flat, value) => {
    if (isNumber(value) && !(word.startsWith("min") && compareNumbers(value, 0) <= 0)) addSize(flat, word, value);
  };
};

/** How each keyword is read; what a keyword can't have is ignored, as in judging. */
const readers: Record<string, Read> = {
  type(flat, value) {
    const types = [value].flat().filter((type): type is string => typeNames.has(type as string));
    if (types.length === 0) return;
    if (types.includes("number")) flat.types = new Set(types.filter((type) => type !== "integer"));
    else flat.types = new Set(types);
  },
  enum(flat, value) {
    if (Array.isArray(value) && value.length > 0) addValues(flat, toValues(value));
  },
  const: (flat, value) => addValues(flat, toValues([value])),
  minimum(flat, value, { exclusiveMinimum }) {
    if (isNumber(value)) flat.lower = strictest(flat.lower, { value, isExclusive: exclusiveMinimum === true }, 1);
  },
  maximum(flat, value, { exclusiveMaximum }) {
    if (isNumber(value)) flat.upper = strictest(flat.upper, { value, isExclusive: exclusiveMaximum === true }, -1);
  },
  exclusiveMinimum(flat, value) {
    if (isNumber(value)) flat.lower = strictest(flat.lower, { value, isExclusive: true }, 1);
  },
  exclusiveMaximum(flat, value) {
    if (isNumber(value)) flat.upper = strictest(flat.upper, { value, isExclusive: true }, -1);
  },
  multipleOf(flat, value) {
    if (isNumber(value) && compareNumbers(value, 0) > 0) flat.multiples.set(canonicalNumber(value), value);
  },
  minLength: readSize("minLength"),
  maxLength: readSize("maxLength"),
  minItems: readSize("minItems"),
  maxItems: readSize("maxItems"),
  minProperties: readSize("minProperties"),
  maxProperties: readSize("maxProperties"),
  pattern(flat, value) {
    if (typeof value === "string") flat.patterns.add(value);
  },
  format(flat, value) {
    if (typeof value === "string" && value !== "") flat.formats.add(value);
  },
  uniqueItems(flat, value) {
    flat.isUnique = value === true;
  },
  required(flat, value) {
    if (Array.isArray(value)) for (const name of value) if (typeof name === "string") flat.required.add(name);
  },
  properties: (flat, value) => addNamed(flat.properties, value),
  patternProperties: (flat, value) => addNamed(flat.patternProperties, value),
  additionalProperties(flat, value, schema) {
    if (value === true || !(isRecord(value) || value === false)) return;
    const names = new Set(Object.keys(toRecord(schema.properties)));
    flat.closures.push({ names, patterns: Object.keys(toRecord(schema.patternProperties)), schema: value });
  },
  // Completed by the flattener: other parts of the schema evaluate members, too.
  unevaluatedProperties() {},
  propertyNames(flat, value) {
    if (isSchema(value)) flat.propertyNames.push(value);
  },
  dependentRequired(flat, value) {
    for (const [name, needed] of Object.entries(toRecord(value))) addNeeded(flat, name, needed);
  },
  dependentSchemas: (flat, value) => addNamed(flat.dependentSchemas, value),
  dependencies(flat, value) {
    for (const [name, needed] of Object.entries(toRecord(value))) {
      if (Array.isArray(needed)) addNeeded(flat, name, needed);
      else addNamed(flat.dependentSchemas, { [name]: needed });
    }
  },
  items: (flat, _value, schema) => addTuple(flat, schema),
  not(flat, value) {
    if (isSchema(value)) flat.nots.push(value);
  },
  contains(flat, schema, { minContains, maxContains }) {
    if (!isSchema(schema)) return;
    const max = typeof maxContains === "number" ? maxContains : undefined;
    flat.contained.push({ schema, min: typeof minContains === "number" ? minContains : 1, max });
  },
  if(flat, value, schema) {
    if (!isSchema(value) || (schema.then === undefined && schema.else === undefined)) return;
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    flat.conditions.push({ if: value, then: schema.then, else: schema.else });
  },
  discriminator(flat, value) {
    const { propertyName, mapping } = toRecord(value);
    if (typeof propertyName !== "string") return;
    const targets = Object.entries(toRecord(mapping)).map(([name, target]) => [name, String(target)] as const);
    flat.discriminators.push({ propertyName, mapping: new Map(targets) });
  },
  readOnly(flat, value) {
    flat.isReadOnly = value === true;
  },
  writeOnly(flat, value) {
    flat.isWriteOnly = value === true;
  },
  deprecated(flat, value) {
    flat.isDeprecated = value === true;
  },
  default(flat, value) {
    flat.defaults.add(canonicalText(value as Json));
  },
};

/** Adds what a schema says by its own keywords: not those that refer to or combine other schemas. */
export function readOwnWords(flat: FlatSchema, raw: JsonRecord): void {
  const schema = withExactNumbers(raw);
  for (const word of Object.keys(schema)) {
    const value = schema[word];
    if (value === undefined || elsewhere.has(word)) continue;
    const read = Object.hasOwn(readers, word) ? readers[word] : undefined;
    if (read) read(flat, value, schema);
    else if (texts.has(word) || word.startsWith("x-")) flat.texts.push({ word, value });
    else flat.others.set(word, new Set([canonicalText(value as Json)]));
  }
  if (schema.items === undefined && (schema.prefixItems !== undefined || schema.unevaluatedItems !== undefined)) {
    addTuple(flat, schema);
  }
}

/** 2020-12's `prefixItems` and `items`, or the list under `items` and `additionalItems` of earlier drafts. */
function addTuple(flat: FlatSchema, schema: JsonRecord): void {
  const { items, prefixItems, additionalItems, unevaluatedItems } = schema;
  const isOld = Array.isArray(items);
  const prefix = isOld ? items : Array.isArray(prefixItems) ? prefixItems : [];
  const rest = [isOld ? additionalItems : items, unevaluatedItems].find(isSchema);
  if (prefix.length > 0 || rest !== undefined) flat.tuples.push({ prefix, rest });
}

function addNamed(to: Map<string, unknown[]>, named: unknown): void {
  for (const name of Object.keys(toRecord(named))) {
    const list = to.get(name);
    if (list) list.push((named as JsonRecord)[name]);
    else to.set(name, [(named as JsonRecord)[name]]);
  }
}

function addNeeded({ dependentRequired }: FlatSchema, name: string, needed: unknown): void {
  if (!Array.isArray(needed) || needed.length === 0) return;
  const known = dependentRequired.get(name) ?? new Set();
  for (const one of needed) known.add(String(one));
  dependentRequired.set(name, known);
}

function toValues(values: unknown[]): Map<string, Json> {
  return new Map(values.map((value) => [canonicalText(value as Json), value as Json]));
}

const isNumber = (value: unknown): value is JsonNumber => isJsonNumber(value as Json);

export const isSchema = (value: unknown) => isRecord(value) || typeof value === "boolean";
