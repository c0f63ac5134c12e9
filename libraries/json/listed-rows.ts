import { isJsonObject, type Json, typeOfJson } from "./json.ts";

/** Lists are nested as in `{"data": {"items": […]}}`, seldom deeper. */
const deepest = 3;

/**
 * The items of the response's list, wherever it is nested. An object without a list is one row; primitives are rows
 * too.
 */
export function listedRows(answer: Json): Json[] {
  let bare: Json[] | undefined;
  let level = [answer];
  for (let depth = 0; depth <= deepest && level.length > 0; depth += 1) {
    const lists = level.filter(Array.isArray);
    const ofObjects = lists.find((list) => list.some(isJsonObject));
    if (ofObjects) return ofObjects.filter(isJsonObject);
    if (depth <= 1) bare ??= lists.find((list) => list.some(isPlain))?.filter(isPlain);
    level = level.filter(isJsonObject).flatMap((one) => Object.values(one));
  }
  return bare ?? (isJsonObject(answer) ? [answer] : []);
}

/** Primitive members of a row, and those of nested objects, such as `owner.id`. */
export function plainMembers(row: Json): [name: string, value: Json][] {
  if (!isJsonObject(row)) return [];
  return Object.entries(row).flatMap(([name, value]): [string, Json][] => {
    if (isPlain(value)) return [[name, value]];
    if (!isJsonObject(value)) return [];
    return Object.entries(value).flatMap(([inner, one]) => (isPlain(one) ? [[`${name}.${inner}`, one]] : []));
  });
}

function isPlain(value: Json): boolean {
  return ["string", "number"].includes(typeOfJson(value));
}
