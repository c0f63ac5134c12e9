import { isRecord, type JsonRecord, toList } from "../../json/json-value.ts";
import { canonical } from "./check-array.ts";
import { type Maker, maxItems, none, optionalDepth, type Sample } from "./maker.ts";
import { listVariations } from "./sample-strings.ts";

interface ItemRules {
  schema: JsonRecord;
  depth: number;
  maker: Maker;
  flatten(raw: JsonRecord): JsonRecord | undefined;
}

/** As few items as the schema allows, at least one where nothing speaks against it. */
export function makeArray(rules: ItemRules): Sample {
  const { schema, depth } = rules;
  const least = typeof schema.minItems === "number" ? schema.minItems : 0;
  const maximum = typeof schema.maxItems === "number" ? schema.maxItems : Number.POSITIVE_INFINITY;
  const containing = schema.contains === undefined ? 0 : toCount(schema.minContains, 1);
  const minimum = Math.max(least, containing);
  if (minimum > maxItems || minimum > maximum) return none;
  const sample: unknown[] = [];
  const tuple = toList(Array.isArray(schema.items) ? schema.items : schema.prefixItems);
  for (const item of tuple.slice(0, Math.min(maxItems, maximum))) {
    if (!addItem(item, sample, sample.length < minimum, rules)) return finished(sample, minimum, rules);
  }
  const rest = (Array.isArray(schema.items) ? schema.additionalItems : schema.items) ?? true;
  for (let missing = containing - countContained(sample, rules); missing > 0 && sample.length < maximum; missing -= 1) {
    const item = rest === true ? schema.contains : { allOf: [rest, schema.contains] };
    if (!addItem(item, sample, true, rules)) return none;
  }
  const wanted = Math.min(maximum, Math.max(minimum, tuple.length > 0 || depth >= optionalDepth ? 0 : 1));
  while (sample.length < wanted) {
    if (!addItem(otherItem(rest, sample, rules), sample, sample.length < minimum, rules)) break;
  }
  return finished(sample, minimum, rules);
}

function toCount(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

function countContained(sample: unknown[], { schema, maker }: ItemRules): number {
  return schema.contains === undefined
    ? 0
    : sample.filter((item) => maker.checker.isValid(item, schema.contains)).length;
}

/** Past `maxContains`, further items must not match what is contained. */
function otherItem(rest: unknown, sample: unknown[], rules: ItemRules): unknown {
  const { contains, maxContains } = rules.schema;
  if (contains === undefined || typeof maxContains !== "number" || countContained(sample, rules) < maxContains) {
    return rest;
  }
  return { allOf: [rest, { not: contains }] };
}

function finished(sample: unknown[], minimum: number, rules: ItemRules): Sample {
  const { schema, maker } = rules;
  if (sample.length < minimum) return none;
  const hasEnough = schema.contains === undefined || countContained(sample, rules) >= toCount(schema.minContains, 1);
  return hasEnough || maker.checker.isValid(sample, schema) ? sample : none;
}

function addItem(raw: unknown, sample: unknown[], isNeeded: boolean, rules: ItemRules): boolean {
  const { schema, depth, maker } = rules;
  let value: Sample = isNeeded
    ? maker.make(raw, depth + 1, sample.length)
    : maker.makeOptional(raw, depth + 1, sample.length);
  if (value === none && isNeeded) value = maker.makePlaceholder(raw, sample.length);
  if (value !== none && schema.uniqueItems === true) value = makeUnique(value, raw, sample, rules);
  if (value === none) return false;
  sample.push(value);
  return true;
}

/** A value different from the existing items: the next of an enumeration, the next number, or a numbered text. */
function makeUnique(value: unknown, raw: unknown, present: unknown[], { maker, flatten }: ItemRules): Sample {
  const known = new Set(present.map(canonical));
  const isNew = (candidate: unknown) => !known.has(canonical(candidate));
  if (isNew(value)) return value;
  const schema = isRecord(raw) ? flatten(raw) : {};
  if (!schema) return none;
  const fits = (candidate: unknown) => isNew(candidate) && maker.checker.isValid(candidate, raw);
  const listed = toList(schema.enum).find(fits);
  if (listed !== undefined) return listed;
  return listOthers(value, present.length + 1, schema).find(fits) ?? none;
}

function listOthers(value: unknown, number: number, schema: JsonRecord): unknown[] {
  if (typeof value === "number") {
    const step = typeof schema.multipleOf === "number" && schema.multipleOf > 0 ? schema.multipleOf : 1;
    const factors = [...Array.from({ length: number }, (_, index) => index + 1), -1, 1 - number, 0.5, 0.25];
    return factors.map((factor) => value + factor * step);
  }
  if (typeof value === "string") return listVariations(value, number, schema);
  if (typeof value === "boolean") return [!value];
  if (!isRecord(value)) return [];
  if (Object.keys(value).length === 0) return [number, `item${number}`];
  // An object differs by its first text or number that may change.
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === "string" || typeof member === "number"
      ? listOthers(member, number, {}).map((other) => ({ ...value, [name]: other }))
      : [],
  );
}
