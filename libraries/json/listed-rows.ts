import { isJsonObject, type Json, typeOfJson } from "./json.ts";

/** Lists hide in `{"data": {"items": […]}}`, seldom deeper. */
const deepest = 3;

/** What an answer lists, wherever its list is; an object without one is a row itself, and so is each of bare values. */
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

/** Members of a row that hold a plain value, and those of objects in it, as in `owner.id`. */
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
