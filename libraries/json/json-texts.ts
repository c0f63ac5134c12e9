import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import { setMember } from "./json-value.ts";
import { parseJson, UnreadableJson } from "./parse-json.ts";
import { hasExactNumber, toPlainJson, writeJson } from "./write-json.ts";

/**
 * Members of objects that also have the member `beside`. Each may have its JSON text beside it, `target` as
 * `targetJson`, for the numbers that `JSON.parse` and `JSON.stringify` lose on the way.
 */
export interface TextMembers {
  beside: string;
  members: readonly string[];
}

const nameOfText = (member: string) => `${member}Json`;

/** A value for code that knows doubles only; with its JSON text where those would be written differently. */
export function splitJson(value: Json): { plain: unknown; text?: string } {
  return hasExactNumber(value) ? { plain: toPlainJson(value), text: writeJson(value) } : { plain: value };
}

/** The value that was split. */
export function joinJson(plain: unknown, text: string | undefined): Json {
  return text === undefined ? (plain as Json) : parseJson(text);
}

/** Adds the texts of members with numbers that would be lost. A text that can't be parsed is returned as it is. */
export function addJsonTexts(text: string, rule: TextMembers): string {
  try {
    const document = parseJson(text);
    return hasExactNumber(document) ? JSON.stringify(addTexts(document, rule)) : text;
  } catch (error) {
    if (error instanceof UnreadableJson) return text;
    throw error;
  }
}

function addTexts(value: Json, rule: TextMembers): unknown {
  return mapMembers(value, rule, (member, name, copy) => {
    const { plain, text } = splitJson(member);
    setMember(copy, name, plain);
    if (text !== undefined) copy[nameOfText(name)] = text;
  });
}

/** `JSON.stringify`, with each member that has a text written as that text. */
export function writeJsonTexts(value: unknown, rule: TextMembers): string {
  const text = JSON.stringify(value);
  if (!rule.members.some((name) => text.includes(`"${nameOfText(name)}":"`))) return text;
  const written = mapMembers(JSON.parse(text) as Json, rule, (member, name, copy, { [nameOfText(name)]: given }) => {
    setMember(copy, name, typeof given === "string" ? parseJson(given) : member);
  });
  return writeJson(written as Json);
}

/** A copy with these members mapped; inside of them nothing is. */
function mapMembers(
  value: Json,
  rule: TextMembers,
  map: (member: Json, name: string, copy: Record<string, unknown>, object: JsonObject) => void,
): unknown {
  if (Array.isArray(value)) return value.map((item) => mapMembers(item, rule, map));
  if (!isJsonObject(value)) return toPlainJson(value);
  const isMeant = Object.hasOwn(value, rule.beside);
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (isMeant && rule.members.includes(name)) map(member, name, copy, value);
    // A text that was made here replaces one that was given.
    else if (!Object.hasOwn(copy, name)) setMember(copy, name, mapMembers(member, rule, map));
  }
  return copy;
}
