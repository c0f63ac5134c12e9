import { isJsonObject, type Json } from "../json/json.ts";
import { setMember } from "../json/json-value.ts";
import { type Identify, matchItems } from "./match-items.ts";

/** A value with the members of its objects in the order of another one, and new members after them. */
export function orderLike(model: Json, value: Json, identify: Identify): Json {
  if (Array.isArray(value)) {
    if (!Array.isArray(model)) return value;
    const matched = matchItems(model, value, identify);
    return value.map((item, at) => (matched[at] === -1 ? item : orderLike(model[matched[at]!]!, item, identify)));
  }
  if (!isJsonObject(value) || !isJsonObject(model)) return value;
  const names = [...Object.keys(model), ...Object.keys(value)].filter((name) => Object.hasOwn(value, name));
  const ordered = {};
  for (const name of new Set(names)) {
    const one = value[name]!;
    setMember(ordered, name, Object.hasOwn(model, name) ? orderLike(model[name]!, one, identify) : one);
  }
  return ordered;
}
