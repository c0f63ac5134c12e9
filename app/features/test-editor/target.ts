import type { Assertion, AssertionSource, Comparison } from "#contracts/test-registry/assertions.ts";
import { isJsonNumber } from "#libraries/json/compare-json.ts";
import { numberFromText } from "#libraries/json/exact-number.ts";
import { getJsonType, type Json } from "#libraries/json/json.ts";
import { parseJson, UnreadableJson } from "#libraries/json/parse-json.ts";
import { writeJson } from "#libraries/json/write-json.ts";
import { comparisonWords, sourceWords } from "./assertion-words.ts";

/**
 * How the text of a target is parsed. `auto` parses `200` as number, `true` as boolean and `"200"` as text, if the
 * source can yield them; `text` takes it literally; `json` accepts only JSON.
 */
export const targetTypes = ["auto", "text", "json"] as const;
export type TargetType = (typeof targetTypes)[number];

export interface WrittenTarget {
  text: string;
  type: TargetType;
}

export type ReadTarget = { value: Json | undefined; fault?: undefined } | { fault: string };

type Place = { source: AssertionSource; comparison: Comparison };

const variable = /\{\{[^{}]+\}\}/;
const onlyVariable = /^\s*\{\{[^{}]+\}\}\s*$/;

/** Whether the choice of Text decides: the variable's value, and not its name, is what has a type. */
export function isVariableAsText({ text, type }: WrittenTarget): boolean {
  return type === "text" && onlyVariable.test(text);
}

/** The JSON value of a typed target for its source and comparison. A value of undefined: no target. */
export function readTarget({ text, type }: WrittenTarget, { source, comparison }: Place): ReadTarget {
  const shape = comparisonWords[comparison].target;
  if (shape === "none") return { value: undefined };
  if (type === "text") return { value: text };
  if (type === "json") return readJson(text);
  switch (shape) {
    case "text":
      return text === "" ? missing : { value: text };
    case "typeName":
      return text.trim() === "" ? missing : { value: text.trim() };
    case "schema":
      return text.trim() === "" ? { value: undefined } : readJson(text);
    case "range":
      return text.trim() === "" ? missing : { value: readRange(text) };
    case "moment":
      return text.trim() === "" ? missing : { value: readNumber(text) };
    case "span":
      return text.trim() === "" ? missing : { value: readSpan(text) };
    case "list":
      return text.trim() === "" ? missing : { value: readList(text, source) };
    case "number":
      return text.trim() === "" ? missing : { value: readNumber(text) };
    default:
      return text === "" ? missing : { value: readScalar(text, source) };
  }
}

/** The plainest text that parses back to this value. */
export function writeTarget(
  target: Json | undefined,
  place: Place,
  variableType?: Assertion["variableType"],
): WrittenTarget {
  if (target === undefined) return { text: "", type: "auto" };
  if (variableType === "text" && typeof target === "string") return { text: target, type: "text" };
  const json = writeJson(target);
  const candidates: WrittenTarget[] = [
    ...(typeof target === "string" ? [target, json] : [...listTexts(target, place), json]).map((text) => ({
      text,
      type: "auto" as const,
    })),
    ...(typeof target === "string" ? [{ text: target, type: "text" as const }] : []),
  ];
  const readsBack = candidates.find((candidate) => {
    // A single-line field drops line breaks, so such a text has to be written as JSON, where they are escaped.
    if (/[\r\n]/.test(candidate.text)) return false;
    const read = readTarget(candidate, place);
    return read.fault === undefined && read.value !== undefined && writeJson(read.value) === json;
  });
  return readsBack ?? { text: json, type: "json" };
}

/** The interpretation of a target in a word or two; undefined if there is none to show. */
export function describeTarget(written: WrittenTarget, place: Place): string | undefined {
  const read = readTarget(written, place);
  if (read.fault !== undefined || read.value === undefined) return undefined;
  const { value } = read;
  const shape = comparisonWords[place.comparison].target;
  if (shape === "moment") return "date";
  if (shape === "span") return "span of a date";
  if (value === null) return "null";
  if (Array.isArray(value)) return `list of ${value.length}`;
  if (typeof value === "string") {
    if (onlyVariable.test(value)) return "type of the variable";
    return variable.test(value) ? "text with variable" : "text";
  }
  return typeof value === "boolean" ? "true or false" : getJsonType(value);
}

const missing: ReadTarget = { fault: "Enter a value to compare with. For empty text, choose Text" };

function readJson(text: string): ReadTarget {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    if (!(error instanceof UnreadableJson)) throw error;
    return { fault: 'Not valid JSON. Text needs double quotes, e.g. "open"' };
  }
}

/** The number if the text is a JSON number; otherwise the text itself. */
function readNumber(text: string): Json {
  const trimmed = text.trim();
  const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(trimmed);
  return isNumber ? numberFromText(trimmed) : trimmed;
}

function readScalar(text: string, source: AssertionSource): Json {
  const { shape } = sourceWords[source];
  if (shape === "text") return text;
  if (shape === "number") return readNumber(text);
  const number = readNumber(text);
  if (isJsonNumber(number)) return number;
  if (/^\s*(true|false|null|[[{"].*)\s*$/s.test(text)) {
    const read = readJson(text);
    if (read.fault === undefined && read.value !== undefined) return read.value;
  }
  return text;
}

/** `1, 5`, `1 to 5`, `1..5` and `[1, 5]` are all the same range. */
function readRange(text: string): Json {
  const inside = /^\s*\[(.*)\]\s*$/s.exec(text)?.[1] ?? text;
  const parts = inside.split(/\s*,\s*|\s+to\s+|\s*\.\.\s*/).map((part) => readNumber(part));
  return parts.length === 2 ? parts : text;
}

function readList(text: string, source: AssertionSource): Json[] {
  if (/^\s*\[/.test(text)) {
    const read = readJson(text);
    if (read.fault === undefined && Array.isArray(read.value)) return read.value;
  }
  return text.split(",").map((part) => readScalar(part.trim(), source));
}

/** `1 min of now` and `["1 min", "now"]` are the same span. */
function readSpan(text: string): Json {
  const list = /^\s*\[/.test(text) ? readJson(text) : undefined;
  if (list?.fault === undefined && Array.isArray(list?.value)) return list.value;
  const [, span, moment] = /^\s*(.+?)\s+of\s+(.+?)\s*$/.exec(text) ?? [];
  return span === undefined || moment === undefined ? text : [span, readNumber(moment)];
}

function listTexts(target: Json, { comparison }: Place): string[] {
  if (!Array.isArray(target)) return [];
  const between = comparison === "within" ? " of " : ", ";
  return [target.map((item) => (typeof item === "string" ? item : writeJson(item))).join(between)];
}
