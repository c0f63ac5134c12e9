import { compareNumbers, type JsonNumber } from "./exact-number.ts";
import { getJsonType, isJsonObject, type Json } from "./json.ts";

export function isJsonNumber(value: Json): value is JsonNumber {
  return getJsonType(value) === "number";
}

/**
 * JSON equality by type: `"12"` is not 12, `1` equals `1.0`, member order is ignored. Recursive, so callers limit
 * depth when they parse.
 */
export function equalJson(left: Json, right: Json): boolean {
  if (left === right) return true;
  if (isJsonNumber(left) && isJsonNumber(right)) return compareNumbers(left, right) === 0;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => equalJson(item, right[index] as Json))
    );
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && equalJson(left[name] as Json, right[name] as Json))
  );
}
