import { getJsonType, type Json, OutsizeNumber } from "../json/json.ts";

const longestText = 120;
const keptCharacters = 1_000;

export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** A name in a sentence, in quotes. */
export function quote(name: unknown, show: Show = asItIs): string {
  return JSON.stringify(cut(show(cut(String(name), keptCharacters)), longestText));
}

function count(total: number, one: string): string {
  return `${total} ${one}${total === 1 ? "" : "s"}`;
}

/** JSON as text; numbers beyond 2^53 with every digit. */
export function jsonText(value: Json): string {
  if (typeof value === "bigint") return String(value);
  if (value instanceof OutsizeNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`)
    .join(",")}}`;
}

/** Shows something sent or received without the secrets in it. */
export type Show = <Value>(value: Value) => Value;

const asItIs: Show = (value) => value;

/** A value as it stands in a sentence: short ones as JSON, long ones by what they are. */
export function describeValue(value: Json, show: Show = asItIs): string {
  if (Array.isArray(value) && value.length > 10) return `a list of ${count(value.length, "item")}`;
  if (getJsonType(value) === "object" && Object.keys(value as object).length > 10) {
    return `an object of ${count(Object.keys(value as object).length, "member")}`;
  }
  // Cut before as well: looking for secrets in a whole body takes longer than a sentence is worth.
  if (typeof value === "string") return JSON.stringify(cut(show(cut(value, keptCharacters)), longestText));
  const text = jsonText(value);
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

/** The value as it is shown and, where its JSON does not show it at once, its type: `"12" (a string)`. */
export function describeWithType(value: Json, show: Show = asItIs): string {
  const described = describeValue(value, show);
  const type = getJsonType(value);
  const evident = type === "null" || type === "boolean" || /^(a list|an object)/.test(described);
  return evident ? described : `${described} (${nameOfType(type)})`;
}

const keptNodes = 200;
/** Of all texts in one value together; a verification is stored once an execution, times two hundred assertions. */
const keptTotal = 10_000;

/**
 * The value as a verification keeps it: at most 200 values, 1,000 characters of each text and 10,000 of all, saying what
 * was left out.
 * Integers beyond 2^53 become text, since JSON's readers would round them.
 */
export function shortenValue(value: Json): unknown {
  let left = keptNodes;
  let characters = keptTotal;
  function shortenText(text: string): string {
    const kept = cut(text, Math.max(20, Math.min(keptCharacters, characters)));
    characters -= kept.length;
    return kept;
  }
  function shorten(one: Json, depth: number): unknown {
    left -= 1;
    if (typeof one === "string") return shortenText(one);
    if (typeof one === "bigint") return cut(String(one), keptCharacters);
    if (one instanceof OutsizeNumber) return cut(one.text, keptCharacters);
    if (typeof one !== "object" || one === null) return one;
    if (depth > 20) return "…";
    if (Array.isArray(one)) {
      const items: unknown[] = [];
      for (const item of one) {
        if (left <= 0) {
          items.push(`… ${one.length - items.length} more`);
          break;
        }
        items.push(shorten(item, depth + 1));
      }
      return items;
    }
    const members: [string, unknown][] = [];
    const names = Object.keys(one);
    for (const name of names) {
      if (left <= 0) {
        members.push(["…", `${names.length - members.length} more`]);
        break;
      }
      members.push([shortenText(name), shorten(one[name] as Json, depth + 1)]);
    }
    return Object.fromEntries(members);
  }
  return shorten(value, 0);
}
