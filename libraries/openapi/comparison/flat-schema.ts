import { compareNumbers, type JsonNumber } from "../../json/exact-number.ts";
import type { Json } from "../../json/json.ts";

export interface Bound {
  value: JsonNumber;
  isExclusive: boolean;
}

/** Members that no own property and no pattern names. */
export interface Closure {
  names: ReadonlySet<string>;
  patterns: readonly string[];
  schema: unknown;
}

export interface Group {
  word: "anyOf" | "oneOf";
  alternatives: Alternative[];
}

export interface Alternative {
  raw: unknown;
  flat: FlatSchema;
}

export interface Contained {
  schema: unknown;
  min: number;
  max: number | undefined;
}

export interface Condition {
  if: unknown;
  then: unknown;
  else: unknown;
}

export interface Discriminator {
  propertyName: string;
  mapping: ReadonlyMap<string, string>;
}

let lastId = 0;

/**
 * One schema with what its references and its `allOf` say: each list is a conjunction. Schemas of members and items are
 * as in the document, so circles end.
 */
export class FlatSchema {
  readonly id = ++lastId;
  /** No value is allowed. */
  isNever = false;
  types: Set<string> | undefined;
  /** By canonical text. */
  values: Map<string, Json> | undefined;
  lower: Bound | undefined;
  upper: Bound | undefined;
  /** Of lengths and numbers of items and members: `minLength`, `maxItems`, … */
  sizes = new Map<string, JsonNumber>();
  multiples = new Map<string, JsonNumber>();
  patterns = new Set<string>();
  formats = new Set<string>();
  isUnique = false;
  required = new Set<string>();
  properties = new Map<string, unknown[]>();
  patternProperties = new Map<string, unknown[]>();
  closures: Closure[] = [];
  propertyNames: unknown[] = [];
  dependentRequired = new Map<string, Set<string>>();
  dependentSchemas = new Map<string, unknown[]>();
  tuples: { prefix: readonly unknown[]; rest: unknown }[] = [];
  contained: Contained[] = [];
  nots: unknown[] = [];
  conditions: Condition[] = [];
  groups: Group[] = [];
  discriminators: Discriminator[] = [];
  isReadOnly = false;
  isWriteOnly = false;
  isDeprecated = false;
  /** Canonical texts. */
  defaults = new Set<string>();
  /** Keywords that are compared by their values only. */
  others = new Map<string, Set<string>>();
  /** What no client depends on. */
  texts: { word: string; value: unknown }[] = [];
  /** Derived: members and items that were flattened. */
  readonly parts = new Map<string, FlatSchema>();

  /** Fields with a constraint, `types` and `values` included. */
  listConstraints(): string[] {
    const found: string[] = [];
    if (this.isNever) found.push("never");
    if (this.types) found.push("types");
    if (this.values) found.push("values");
    if (this.lower || this.upper) found.push("bounds");
    if (this.isUnique || this.isReadOnly || this.isWriteOnly) found.push("flags");
    const sets = [this.sizes, this.multiples, this.patterns, this.formats, this.required, this.properties];
    const more = [this.patternProperties, this.dependentRequired, this.dependentSchemas, this.others, this.defaults];
    if ([...sets, ...more].some(({ size }) => size > 0)) found.push("words");
    const lists = [this.closures, this.propertyNames, this.tuples, this.contained, this.nots, this.conditions];
    if ([...lists, this.discriminators].some(({ length }) => length > 0)) found.push("applicators");
    if (this.groups.length > 0) found.push("groups");
    return found;
  }

  is(...constraints: string[]): boolean {
    return this.listConstraints().join() === constraints.join();
  }
}

const lowerSizes = new Set(["minLength", "minItems", "minProperties"]);

/** Adds what another schema says to a schema, so that both apply. */
export function addSchema(to: FlatSchema, other: FlatSchema): void {
  to.isNever ||= other.isNever;
  to.types = intersectTypes(to.types, other.types);
  addValues(to, other.values);
  if (other.lower) to.lower = strictest(to.lower, other.lower, 1);
  if (other.upper) to.upper = strictest(to.upper, other.upper, -1);
  for (const [word, size] of other.sizes) addSize(to, word, size);
  for (const [key, value] of other.multiples) to.multiples.set(key, value);
  to.isUnique ||= other.isUnique;
  to.isReadOnly ||= other.isReadOnly;
  to.isWriteOnly ||= other.isWriteOnly;
  to.isDeprecated ||= other.isDeprecated;
  for (const one of other.patterns) to.patterns.add(one);
  for (const one of other.formats) to.formats.add(one);
  for (const one of other.required) to.required.add(one);
  for (const one of other.defaults) to.defaults.add(one);
  addLists(to.properties, other.properties);
  addLists(to.patternProperties, other.patternProperties);
  addLists(to.dependentSchemas, other.dependentSchemas);
  addSets(to.dependentRequired, other.dependentRequired);
  addSets(to.others, other.others);
  to.closures.push(...other.closures);
  to.propertyNames.push(...other.propertyNames);
  to.tuples.push(...other.tuples);
  to.contained.push(...other.contained);
  to.nots.push(...other.nots);
  to.conditions.push(...other.conditions);
  to.groups.push(...other.groups);
  to.discriminators.push(...other.discriminators);
  to.texts.push(...other.texts);
}

/** Numbers include whole ones. */
export function intersectTypes(one: Set<string> | undefined, other: Set<string> | undefined): Set<string> | undefined {
  if (!one || !other) return one ?? other;
  const common = new Set<string>();
  for (const type of one) {
    if (other.has(type) || (type === "integer" && other.has("number"))) common.add(type);
    else if (type === "number" && other.has("integer")) common.add("integer");
  }
  return common;
}

export function addValues(to: FlatSchema, values: Map<string, Json> | undefined): void {
  if (!values) return;
  const known = to.values;
  to.values = known ? new Map([...known].filter(([key]) => values.has(key))) : new Map(values);
}

export function addSize(to: FlatSchema, word: string, size: JsonNumber): void {
  const known = to.sizes.get(word);
  const isStricter = known === undefined || compareNumbers(size, known) > 0 === lowerSizes.has(word);
  if (isStricter) to.sizes.set(word, size);
}

/** @param sign 1 where a larger bound is the stricter one */
export function strictest(one: Bound | undefined, other: Bound, sign: 1 | -1): Bound {
  if (!one) return other;
  const order = compareNumbers(other.value, one.value) * sign;
  return order > 0 || (order === 0 && other.isExclusive) ? other : one;
}

function addLists(to: Map<string, unknown[]>, other: ReadonlyMap<string, unknown[]>): void {
  for (const [key, list] of other) {
    const known = to.get(key);
    if (!known) to.set(key, [...list]);
    else for (const item of list) if (!known.includes(item)) known.push(item);
  }
}

function addSets(to: Map<string, Set<string>>, other: ReadonlyMap<string, ReadonlySet<string>>): void {
  for (const [key, set] of other) {
    const known = to.get(key);
    if (!known) to.set(key, new Set(set));
    else for (const item of set) known.add(item);
  }
}
