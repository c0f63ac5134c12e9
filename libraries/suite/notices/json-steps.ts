import { isJsonObject, type Json, type JsonObject } from "../../json/json.ts";
import { setMember } from "../../json/json-value.ts";
import { formatLocation, pointerTo } from "../../json-path/json-path.ts";

/** A member's name or an item's index. */
export type JsonStep = string | number;

/** JSON pointer (RFC 6901). */
export const toPointer = (steps: readonly JsonStep[]) => pointerTo({ steps: [...steps], value: null });

/** JSONPath (RFC 9535) that selects at most one value. */
export const toJsonPath = (steps: readonly JsonStep[]) => formatLocation({ steps: [...steps], value: null });

/** The value at a place; undefined where there is none. */
export function findAt(value: Json, steps: readonly JsonStep[]): Json | undefined {
  let found: Json | undefined = value;
  for (const step of steps) {
    if (found === undefined) return undefined;
    if (typeof step === "number") found = Array.isArray(found) ? found[step] : undefined;
    else found = isJsonObject(found) && Object.hasOwn(found, step) ? found[step] : undefined;
  }
  return found;
}

/** The same with another value at a place; undefined removes it. Parts beside the place are shared. */
export function replaceAt(value: Json, [step, ...rest]: readonly JsonStep[], replacement: Json | undefined): Json {
  if (step === undefined) return replacement ?? null;
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => {
      if (index !== step) return [item];
      if (rest.length > 0) return [replaceAt(item, rest, replacement)];
      return replacement === undefined ? [] : [replacement];
    });
  }
  const members: JsonObject = {};
  for (const [name, member] of Object.entries(value as JsonObject)) {
    if (name !== step) setMember(members, name, member);
    else if (rest.length > 0) setMember(members, name, replaceAt(member, rest, replacement));
    else if (replacement !== undefined) setMember(members, name, replacement);
  }
  return members;
}
