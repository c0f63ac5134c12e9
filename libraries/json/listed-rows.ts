import { getJsonType, isJsonObject, type Json } from "./json.ts";

/** Lists are nested as in `{"data": {"items": […]}}`, seldom deeper. */
const maxDepth = 3;

/**
 * The items of the response's list, wherever it is nested. An object without a list is one row; primitives are rows
 * too.
 */
export function listedRows(body: Json): Json[] {
  let bare: Json[] | undefined;
  let level = [body];
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth += 1) {
    const lists = level.filter(Array.isArray);
    const objects = lists.find((list) => list.some(isJsonObject));
    if (objects) return objects.filter(isJsonObject);
    if (depth <= 1) bare ??= lists.find((list) => list.some(isPlain))?.filter(isPlain);
    level = level.filter(isJsonObject).flatMap((one) => Object.values(one));
  }
  return bare ?? (isJsonObject(body) ? [body] : []);
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
  return ["string", "number"].includes(getJsonType(value));
}
