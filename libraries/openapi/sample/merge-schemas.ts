import { isJsonNumber } from "../../json/compare-json.ts";
import { compareNumbers, type JsonNumber } from "../../json/exact-number.ts";
import type { Json } from "../../json/json.ts";
import { getMember, isRecord, type JsonRecord, setMember, toList, toRecord } from "../../json/json-value.ts";
import { writeJson } from "../../json/write-json.ts";

/** Merges two schemas that both apply, for the keywords relevant to a sample. Null when no value can satisfy both. */
export function mergeSchemas(one: JsonRecord, other: JsonRecord): JsonRecord | null {
  const merged: JsonRecord = { ...one };
  for (const key of Object.keys(other)) {
    const value = other[key];
    const present = getMember(merged, key);
    if (present === undefined) setMember(merged, key, value);
    else if (key === "properties") merged.properties = mergeProperties(present, value);
    else if (key === "required") merged.required = [...new Set([...toList(present), ...toList(value)])];
    else if (key === "type") {
      const type = commonType(present, value);
      if (type === null) return null;
      merged.type = type;
    } else if (key === "enum") {
      const common = toList(present).filter((item) => toList(value).some((other) => isSame(item, other)));
      if (common.length === 0) return null;
      merged.enum = common;
    } else if (isLowBound(key)) merged[key] = pickBound(present, value, Math.max);
    else if (isHighBound(key)) merged[key] = pickBound(present, value, Math.min);
    else if (key === "oneOf" || key === "anyOf") merged.allChoices = [...toList(merged.allChoices), value];
    else if (key === "items" && isRecord(present) && isRecord(value)) merged.items = { allOf: [present, value] };
    else if (key === "additionalProperties" || key === "propertyNames") merged[key] = mergeSubschemas(present, value);
    else if (key === "patternProperties") merged.patternProperties = mergeProperties(present, value);
    else if (key === "dependentRequired" || key === "dependentSchemas") {
      merged[key] = { ...toRecord(present), ...toRecord(value) };
    } else if (key === "not") merged.not = { anyOf: [present, value] };
    else if (key === "const" && !isSame(present, value)) return null;
    else if (key === "pattern" && present !== value) merged.morePatterns = [...toList(merged.morePatterns), value];
    else if (key === "morePatterns") merged.morePatterns = [...toList(present), ...toList(value)];
    else if (key === "multipleOf") merged.multipleOf = commonMultiple(present, value);
    else if (key === "uniqueItems") merged.uniqueItems = present === true || value === true;
    else if (key === "nullable") merged.nullable = present === true && value === true;
    else if (key === "allChoices") merged.allChoices = [...toList(present), ...toList(value)];
    else if (key === "example" || key === "examples" || key === "default") setMember(merged, key, value);
  }
  return merged;
}

function mergeSubschemas(one: unknown, other: unknown): unknown {
  if (one === false || other === false) return false;
  return isRecord(one) && isRecord(other) ? { allOf: [one, other] } : isRecord(one) ? one : other;
}

/** The least common multiple of whole numbers; of others the larger one, which often is a multiple. */
function commonMultiple(one: unknown, other: unknown): unknown {
  if (typeof one !== "number" || typeof other !== "number") return typeof one === "number" ? one : other;
  if (!Number.isSafeInteger(one) || !Number.isSafeInteger(other) || one <= 0 || other <= 0) return Math.max(one, other);
  let [a, b] = [one, other];
  while (b > 0) [a, b] = [b, a % b];
  return (one / a) * other;
}

function mergeProperties(one: unknown, other: unknown): JsonRecord {
  const merged: JsonRecord = {};
  for (const [name, schema] of Object.entries(isRecord(one) ? one : {})) setMember(merged, name, schema);
  for (const [name, schema] of Object.entries(isRecord(other) ? other : {})) {
    const present = getMember(merged, name);
    setMember(merged, name, present === undefined || isSame(present, schema) ? schema : { allOf: [present, schema] });
  }
  return merged;
}

function commonType(one: unknown, other: unknown): unknown {
  const present = Array.isArray(one) ? one : [one];
  const wanted = Array.isArray(other) ? other : [other];
  const common = present.filter((type) => wanted.includes(type) || (type === "integer" && wanted.includes("number")));
  const narrowed = wanted.filter((type) => type === "integer" && present.includes("number"));
  const all = [...new Set([...common, ...narrowed])];
  return all.length === 0 ? null : all.length === 1 ? all[0] : all;
}

function isLowBound(key: string): boolean {
  return (
    key === "minimum" ||
    key === "minLength" ||
    key === "minItems" ||
    key === "minContains" ||
    key === "minProperties" ||
    key === "exclusiveMinimum"
  );
}

function isHighBound(key: string): boolean {
  return (
    key === "maximum" ||
    key === "maxLength" ||
    key === "maxItems" ||
    key === "maxContains" ||
    key === "maxProperties" ||
    key === "exclusiveMaximum"
  );
}

function pickBound(one: unknown, other: unknown, pick: (one: number, other: number) => number): unknown {
  if (typeof one === "number" && typeof other === "number") return pick(one, other);
  if (isJsonNumber(one as Json) && isJsonNumber(other as Json)) {
    const isOneGreater = compareNumbers(one as JsonNumber, other as JsonNumber) > 0;
    return isOneGreater === (pick === Math.max) ? one : other;
  }
  return one === true ? one : other;
}

export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || JSON.stringify(one) !== JSON.stringify(other)) return false;
  // Rounded numbers may be the same though they are not.
  return writeJson(one as Json) === writeJson(other as Json);
}
