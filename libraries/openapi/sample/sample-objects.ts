import { type JsonRecord, setMember, toList, toRecord } from "../../json/json-value.ts";
import { listDependents, listSchemasOf } from "./check-object.ts";
import { type Maker, maxItems, none, optionalDepth, type Sample } from "./maker.ts";
import { moveToFuture } from "./periods.ts";
import { sampleForPattern } from "./sample-patterns.ts";
import { isHiddenIn } from "./sample-source.ts";
import { listVariations, sampleString } from "./sample-strings.ts";

export function makeObject(schema: JsonRecord, depth: number, maker: Maker): Sample {
  const sample: JsonRecord = {};
  const properties = toRecord(schema.properties);
  const required = listRequired(schema);
  const maximum = typeof schema.maxProperties === "number" ? schema.maxProperties : Number.POSITIVE_INFINITY;
  const minimum = typeof schema.minProperties === "number" ? schema.minProperties : 0;
  let count = 0;
  for (const name of Object.keys(properties)) {
    if (isHiddenIn(maker.direction, properties[name], maker.source)) {
      required.delete(name);
      continue;
    }
    const isOptional = !required.has(name);
    // Listed properties precede names generated for `minProperties`.
    const isEnough = maker.budget.onlyRequired && count + required.size >= minimum;
    const skips = depth >= optionalDepth || isEnough || count >= maximum - required.size;
    if (isOptional && skips) continue;
    const value = makeMember(name, schema, depth, maker, isOptional);
    if (value !== none) {
      setMember(sample, name, moveToFuture(name, value));
      count += 1;
    } else if (!isOptional) return none;
  }
  removeIncomplete(sample, schema, required);
  return addUnlisted(sample, schema, required, depth, maker);
}

/** The required names, and those that they require. */
function listRequired(schema: JsonRecord): Set<string> {
  const required = new Set(toList(schema.required).filter((name): name is string => typeof name === "string"));
  for (const name of required) for (const needed of listDependents(name, schema)) required.add(needed);
  return required;
}

function makeMember(name: string, schema: JsonRecord, depth: number, maker: Maker, isOptional: boolean): Sample {
  const parts = listSchemasOf(name, schema);
  const raw = parts.length === 1 ? parts[0] : { allOf: parts };
  if (parts.includes(false)) return none;
  if (isOptional) return maker.makeOptional(raw, depth + 1, name);
  const value = maker.make(raw, depth + 1, name);
  return value === none ? maker.makePlaceholder(raw, name) : value;
}

/** Leaves out optional members that need others which are not there. */
function removeIncomplete(sample: JsonRecord, schema: JsonRecord, required: Set<string>): void {
  if (schema.dependentRequired === undefined && schema.dependencies === undefined) return;
  for (let changed = true; changed; ) {
    changed = false;
    for (const name of Object.keys(sample)) {
      const lacks = listDependents(name, schema).some((needed) => !Object.hasOwn(sample, needed));
      if (!lacks || required.has(name)) continue;
      delete sample[name];
      changed = true;
    }
  }
}

/** Adds required names without a schema, and as many generated names as `minProperties` requires. */
function addUnlisted(
  sample: JsonRecord,
  schema: JsonRecord,
  required: Set<string>,
  depth: number,
  maker: Maker,
): Sample {
  const { additionalProperties, minProperties } = schema;
  const isMap =
    (additionalProperties !== null &&
      typeof additionalProperties === "object" &&
      Object.keys(additionalProperties).length > 0) ||
    Object.keys(toRecord(schema.patternProperties)).length > 0;
  const isEmpty = Object.keys(toRecord(schema.properties)).length === 0;
  const names = [...required].filter((name) => !Object.hasOwn(sample, name));
  const minimum = typeof minProperties === "number" ? minProperties : 0;
  const wantsOne = names.length === 0 && isMap && isEmpty && depth < optionalDepth && !maker.budget.onlyRequired;
  const wanted = Math.max(Math.min(minimum, maxItems), wantsOne ? 1 : 0) - Object.keys(sample).length - names.length;
  const isTaken = (name: string) => Object.hasOwn(sample, name) || names.includes(name);
  if (wanted > 0) names.push(...inventNames(schema, wanted, isTaken, maker));
  for (const name of names) {
    const parts = listSchemasOf(name, schema).filter((part) => part !== true);
    const isNeeded = required.has(name) || minimum > 0;
    const value = parts.length === 0 ? "string" : makeMember(name, schema, depth, maker, !isNeeded);
    if (value !== none) setMember(sample, name, value);
    else if (isNeeded) return none;
  }
  return Object.keys(sample).length < minimum ? none : sample;
}

function inventNames(
  schema: JsonRecord,
  count: number,
  isTaken: (name: string) => boolean,
  { checker }: Maker,
): string[] {
  const { propertyNames, additionalProperties, unevaluatedProperties } = schema;
  const isClosed = additionalProperties === false || unevaluatedProperties === false;
  const ofPatterns = Object.keys(toRecord(schema.patternProperties)).map((pattern) =>
    sampleForPattern(pattern, 1, 100),
  );
  const ofRule = sampleString(toRecord(propertyNames));
  const bases = isClosed ? ofPatterns : ["key", ofRule, ...ofPatterns];
  const names: string[] = [];
  const listed = toList(toRecord(propertyNames).enum).filter((name): name is string => typeof name === "string");
  const candidates = [
    ...(isClosed ? [] : listed),
    ...bases.flatMap((base) => (base === undefined ? [] : [base, ...numbered(base, count)])),
  ];
  for (const name of candidates) {
    if (names.length >= count) break;
    if (isTaken(name) || names.includes(name) || listSchemasOf(name, schema).includes(false)) continue;
    if (propertyNames === undefined || checker.isValid(name, propertyNames)) names.push(name);
  }
  return names;
}

function numbered(base: string, count: number): string[] {
  return Array.from({ length: count + 1 }, (_, index) => index + 1).flatMap((number) =>
    listVariations(base, number, {}).slice(0, base === "key" ? 1 : 3),
  );
}
