import { isJsonNumber } from "../../json/compare-json.ts";
import { isWhole } from "../../json/exact-number.ts";
import { getJsonType, type Json } from "../../json/json.ts";
import { getMember, isRecord, type JsonRecord, toList } from "../../json/json-value.ts";
import { canonicalText } from "../../json/write-json.ts";
import type { SampleSource } from "../sample/sample-source.ts";
import { type Alternative, addSchema, addValues, FlatSchema, type Group } from "./flat-schema.ts";
import { isSchema, readOwnWords } from "./own-words.ts";

/** Chains of references; longer ones are hostile. */
const maxDepth = 200;
const maxEvaluated = 2_000;

/**
 * The schemas of one document without `$ref`, `allOf`, `nullable`, and `anyOf` or `oneOf` where these say no more than a
 * type, a list of values or one schema: what means the same is written in one way. Members and items are flattened when
 * they are compared.
 */
export class Flattener {
  readonly #ofReference = new Map<string, FlatSchema>();
  readonly #ofObject = new WeakMap<object, FlatSchema>();
  readonly #ofParts = new Map<string, FlatSchema>();
  readonly #open = new Set<unknown>();

  constructor(private readonly source: SampleSource) {}

  /** Of schemas that all apply; of none, any value. */
  flatten(parts: readonly unknown[]): FlatSchema {
    if (parts.length === 1) return this.#flattenOne(parts[0], 0);
    const flats = [...new Set(parts.map((part) => this.#flattenOne(part, 0)))];
    if (flats.length === 1) return flats[0]!;
    const key = flats
      .map(({ id }) => id)
      .sort()
      .join();
    return remember(this.#ofParts, key, () => {
      const all = new FlatSchema();
      for (const flat of flats) addSchema(all, flat);
      return this.#finish(all);
    });
  }

  #flattenOne(raw: unknown, depth: number): FlatSchema {
    if (!isRecord(raw)) return raw === false ? never : anything;
    const reference = getMember(raw, "$ref");
    if (typeof reference === "string" && Object.keys(raw).length === 1) return this.#flattenReference(reference, depth);
    const known = this.#ofObject.get(raw);
    if (known) return known;
    if (this.#open.has(raw) || depth > maxDepth) return anything;
    this.#open.add(raw);
    const flat = this.#build(raw, depth);
    this.#open.delete(raw);
    this.#ofObject.set(raw, flat);
    return flat;
  }

  #flattenReference(reference: string, depth: number): FlatSchema {
    const known = this.#ofReference.get(reference);
    if (known) return known;
    const target = this.source.find(reference);
    if (!isSchema(target)) return remember(this.#ofReference, reference, () => toUnknown(reference));
    const flat = this.#flattenOne(target, depth + 1);
    if (!this.#open.has(target)) this.#ofReference.set(reference, flat);
    return flat;
  }

  #build(raw: JsonRecord, depth: number): FlatSchema {
    const flat = new FlatSchema();
    readOwnWords(flat, raw);
    const reference = getMember(raw, "$ref");
    if (typeof reference === "string") addSchema(flat, this.#flattenReference(reference, depth));
    for (const part of toList(raw.allOf)) addSchema(flat, this.#flattenOne(part, depth + 1));
    for (const word of ["anyOf", "oneOf"] as const) {
      if (toList(raw[word]).length > 0) this.#addGroup(flat, word, toList(raw[word]), depth);
    }
    const unevaluated = raw.unevaluatedProperties;
    if (unevaluated === false || isRecord(unevaluated)) {
      const evaluated = this.#listEvaluated(raw);
      flat.closures.push({ names: evaluated, patterns: [...flat.patternProperties.keys()], schema: unevaluated });
    }
    this.#finish(flat);
    if (raw.nullable === true) allowNull(flat);
    return flat;
  }

  /** A value that `enum` lists decides its type, and one of a type that is refused is none. */
  #finish(flat: FlatSchema): FlatSchema {
    if (flat.values) {
      const allowed = [...flat.values].filter(([, value]) => !flat.types || isOfTypes(value, flat.types));
      flat.values = new Map(allowed);
      flat.types ??= new Set(allowed.map(([, value]) => getValueType(value)));
    }
    if (flat.types?.size === 0) flat.isNever = true;
    return flat;
  }

  #addGroup(flat: FlatSchema, word: Group["word"], list: unknown[], depth: number): void {
    const all = list.map((raw): Alternative => ({ raw, flat: this.#flattenOne(raw, depth + 1) }));
    const alternatives = all.filter(({ flat: { isNever } }) => !isNever);
    const schemas = alternatives.map((one) => one.flat);
    const isNull = (one: FlatSchema) => isOnlyNull(one);
    const others = alternatives.filter((one) => !isNull(one.flat));
    if (alternatives.length === 0) addSchema(flat, never);
    else if (schemas.every((one) => one.is("types"))) {
      const union = new FlatSchema();
      union.types = new Set(schemas.flatMap(({ types }) => [...types!]));
      if (union.types.has("number")) union.types.delete("integer");
      for (const one of schemas) union.texts.push(...one.texts);
      addSchema(flat, union);
    } else if (schemas.every((one) => one.is("types", "values"))) {
      const union = new FlatSchema();
      addValues(union, new Map(schemas.flatMap(({ values }) => [...values!])));
      for (const one of schemas) union.texts.push(...one.texts);
      addSchema(flat, this.#finish(union));
    } else if (others.length === 1) {
      const only = new FlatSchema();
      addSchema(only, others[0]!.flat);
      if (others.length < alternatives.length) allowNull(only);
      addSchema(flat, only);
    } else flat.groups.push({ word, alternatives });
  }

  /** Names of members that any part of a schema describes. */
  #listEvaluated(root: JsonRecord): ReadonlySet<string> {
    const names = new Set<string>();
    const seen = new Set<unknown>();
    const waiting: unknown[] = [root];
    while (waiting.length > 0 && seen.size < maxEvaluated) {
      const schema = waiting.pop();
      if (!isRecord(schema) || seen.has(schema)) continue;
      seen.add(schema);
      if (isRecord(schema.properties)) for (const name of Object.keys(schema.properties)) names.add(name);
      if (typeof schema.$ref === "string") waiting.push(this.source.find(schema.$ref));
      for (const word of ["allOf", "anyOf", "oneOf"]) waiting.push(...toList(schema[word]));
      waiting.push(schema.if, schema.then, schema.else);
      if (isRecord(schema.dependentSchemas)) waiting.push(...Object.values(schema.dependentSchemas));
    }
    return names;
  }
}

const anything = new FlatSchema();
const never = new FlatSchema();
never.isNever = true;

/** A reference to nothing: all that is known is its text. */
function toUnknown(reference: string): FlatSchema {
  const flat = new FlatSchema();
  flat.others.set("$ref", new Set([canonicalText(reference)]));
  return flat;
}

function remember<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

function isOnlyNull(flat: FlatSchema): boolean {
  if (flat.types?.size !== 1 || !flat.types.has("null")) return false;
  return flat.listConstraints().every((field) => field === "types" || field === "values");
}

/** `nullable` allows null whatever else the schema says, as in judging. */
function allowNull(flat: FlatSchema): void {
  if (flat.types) flat.types = new Set([...flat.types, "null"]);
  flat.values?.set("null", null);
  const ofNull = new FlatSchema();
  ofNull.types = new Set(["null"]);
  flat.groups = flat.groups.map(({ word, alternatives }) => {
    const isNullable = alternatives.some((one) => isOnlyNull(one.flat));
    return {
      word,
      alternatives: isNullable ? alternatives : [...alternatives, { raw: { type: "null" }, flat: ofNull }],
    };
  });
}

function getValueType(value: Json): string {
  return isJsonNumber(value) && isWhole(value) ? "integer" : getJsonType(value);
}

function isOfTypes(value: Json, types: ReadonlySet<string>): boolean {
  const type = getValueType(value);
  return types.has(type) || (type === "integer" && types.has("number"));
}
