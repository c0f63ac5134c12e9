import { isJsonNumber } from "#libraries/json/compare-json.ts";
import { isJsonObject, type Json } from "#libraries/json/json.ts";
import { listedRows, plainMembers } from "#libraries/json/listed-rows.ts";
import { memberFor, type ValueUse } from "./value-sources";

/** One value of a response, with a few words of its row. */
export interface TakenValue {
  value: string;
  words: string;
}

/** Replaces secrets in all responses of the services. */
const hidden = "[secret]";
const maxValues = 20;
const longestValue = 1_000;
const longestWords = 80;
const descriptive = /^(name|title|label|summary|displayname|fullname|subject|description|email|login|username)$/;

/** Values in a response that fit a parameter, without secrets and without those that a user could not pick from a list. */
export function takenValues(result: Json, use: ValueUse, path: string): TakenValue[] {
  const rows = listedRows(result).map((row) => ({ row, members: plainMembers(row) }));
  const names = [...new Set(rows.flatMap(({ members }) => members.map(([name]) => name)))];
  const member = memberFor(names, use, path);
  const found = new Map<string, TakenValue>();
  for (const { row, members } of rows) {
    const isBare = members.length === 0 && !isJsonObject(row);
    const value = isBare ? toText(row) : toText(members.find(([name]) => name === member)?.[1]);
    if (value === "" || value.length > longestValue || value.includes(hidden) || found.has(value)) continue;
    found.set(value, { value, words: toWords(members, member) });
    if (found.size === maxValues) break;
  }
  return [...found.values()];
}

function toWords(members: [string, Json][], taken: string | undefined): string {
  const others = members.filter(([name, value]) => name !== taken && typeof value === "string" && value !== "");
  const [, words = ""] = others.find(([name]) => descriptive.test(name.replace(/[_-]/g, "").toLowerCase())) ?? [];
  const text = toText(words as Json).replace(/\s+/g, " ");
  return text.length > longestWords ? `${text.slice(0, longestWords - 1)}…` : text;
}

function toText(value: Json | undefined): string {
  return typeof value === "string" || (value !== undefined && isJsonNumber(value)) ? String(value) : "";
}
