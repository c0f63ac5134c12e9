import { isJsonObject, type Json } from "../../json/json.ts";
import { parseJson, UnreadableJson } from "../../json/parse-json.ts";
import { placeholderPattern } from "../../template/placeholders.ts";

/** A value in JSON with placeholders; indexes of lists are no part of its path. */
export interface JsonPlace {
  path: string[];
  /** As written, such as `{{bookId}}` or `7`. */
  value: string;
}

/** Strings and numbers of a JSON text whose placeholders may stand in strings and in place of values; none if it is not JSON. */
export function readPlaces(text: string): JsonPlace[] {
  try {
    return listPlaces(parseJson(quotePlaceholders(text)), []);
  } catch (error) {
    if (error instanceof UnreadableJson) return [];
    throw error;
  }
}

/** `{"id": {{id}}}` becomes `{"id": "{{id}}"}`. */
function quotePlaceholders(text: string): string {
  let scannedTo = 0;
  let insideString = false;
  return text.replace(placeholderPattern(), (whole, _name, offset: number) => {
    for (; scannedTo < offset; scannedTo += 1) {
      if (text[scannedTo] === "\\" && insideString) scannedTo += 1;
      else if (text[scannedTo] === '"') insideString = !insideString;
    }
    scannedTo = offset + whole.length;
    return insideString ? whole : JSON.stringify(whole);
  });
}

function listPlaces(value: Json, path: string[]): JsonPlace[] {
  if (Array.isArray(value)) return value.flatMap((item) => listPlaces(item, path));
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([name, member]) => listPlaces(member, [...path, name]));
  return value === null || typeof value === "boolean" ? [] : [{ path, value: String(value) }];
}
