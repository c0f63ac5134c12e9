import { ExactNumber } from "../json/exact-number.ts";
import { getJsonType, type Json, type JsonObject } from "../json/json.ts";
import { setMember } from "../json/json-value.ts";
import { writeJson } from "../json/write-json.ts";

const longestText = 120;
const keptCharacters = 1_000;

export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** A name within a sentence, in quotes. */
export function quote(name: unknown, show: Show = asItIs): string {
  return JSON.stringify(cut(show(cut(String(name), keptCharacters)), longestText));
}

function count(total: number, one: string): string {
  return `${total} ${one}${total === 1 ? "" : "s"}`;
}

/** Redacts secrets in a sent or received value. */
export type Show = <Value>(value: Value) => Value;

const asItIs: Show = (value) => value;

/** A value within a sentence: short ones as JSON, long ones by a description. */
export function describeValue(value: Json, show: Show = asItIs): string {
  if (Array.isArray(value) && value.length > 10) return `a list of ${count(value.length, "item")}`;
  if (getJsonType(value) === "object" && Object.keys(value as object).length > 10) {
    return `an object of ${count(Object.keys(value as object).length, "member")}`;
  }
  // Truncated before redaction too: searching a whole body for secrets takes too long for one sentence.
  if (typeof value === "string") return JSON.stringify(cut(show(cut(value, keptCharacters)), longestText));
  const text = writeJson(value);
  if (text.length <= longestText) return show(text);
  if (Array.isArray(value)) return `a list of ${count(value.length, "item")}`;
  if (getJsonType(value) === "object") return `an object of ${count(Object.keys(value as object).length, "member")}`;
  return cut(show(cut(text, keptCharacters)), longestText);
}

const articles: Record<string, string> = {
  null: "null",
  boolean: "a boolean",
  number: "a number",
  integer: "a whole number",
  string: "a string",
  array: "a list",
  object: "an object",
};

export function nameOfType(type: string): string {
  return articles[type] ?? type;
}

/** The displayed value and, where its JSON does not make it evident, its type: `"12" (a string)`. */
export function describeWithType(value: Json, show: Show = asItIs): string {
  const described = describeValue(value, show);
  const type = getJsonType(value);
  const evident = type === "null" || type === "boolean" || /^(a list|an object)/.test(described);
  return evident ? described : `${described} (${nameOfType(type)})`;
}

const keptNodes = 200;
/**
 * Characters of all texts in one value. A verification is stored once per execution and assertion, up to two hundred.
 */
const keptTotal = 10_000;

/**
 * The value as stored in a verification: at most 200 values, 1,000 characters per text and 10,000 in total, with a note
 * of the omitted parts. A number with more than 1,000 characters becomes text.
 */
export function shortenValue(value: Json): Json {
  let left = keptNodes;
  let characters = keptTotal;
  function shortenText(text: string): string {
    const kept = cut(text, Math.max(20, Math.min(keptCharacters, characters)));
    characters -= kept.length;
    return kept;
  }
  function shorten(one: Json, depth: number): Json {
    left -= 1;
    if (typeof one === "string") return shortenText(one);
    if (one instanceof ExactNumber) return one.text.length > keptCharacters ? shortenText(one.text) : one;
    if (typeof one !== "object" || one === null) return one;
    if (depth > 20) return "…";
    if (Array.isArray(one)) {
      const items: Json[] = [];
      for (const item of one) {
        if (left <= 0) {
          items.push(`… ${one.length - items.length} more`);
          break;
        }
        items.push(shorten(item, depth + 1));
      }
      return items;
    }
    const members: JsonObject = {};
    const names = Object.keys(one);
    for (const name of names) {
      if (left <= 0) {
        members["…"] = `${names.length - Object.keys(members).length} more`;
        break;
      }
      setMember(members, shortenText(name), shorten(one[name] as Json, depth + 1));
    }
    return members;
  }
  return shorten(value, 0);
}
