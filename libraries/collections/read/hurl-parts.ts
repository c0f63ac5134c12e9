import type { CollectedAssertion, CollectedCapture } from "../collection.ts";
import { toPlaceholders, toVariableName } from "./placeholders.ts";
import { toPattern } from "./script/value-expectations.ts";

/** Words of a line: quoted texts, patterns, templates and plain words. */
type Word = { kind: "text"; value: string } | { kind: "pattern"; value: string } | { kind: "plain"; value: string };

function splitWords(text: string): Word[] {
  const words: Word[] = [];
  const token = /"((?:[^"\\]|\\.)*)"|`([^`]*)`|\/((?:[^/\\]|\\.)+)\/|(\{\{[^}]*\}\}|[^\s"`]+)/y;
  let rest = 0;
  while (rest < text.length) {
    const space = /\s*/y;
    space.lastIndex = rest;
    space.exec(text);
    token.lastIndex = space.lastIndex;
    const found = token.exec(text);
    if (!found) break;
    rest = token.lastIndex;
    const [, quoted, fenced, pattern, plain] = found;
    if (plain?.startsWith("#")) break;
    if (quoted !== undefined) words.push({ kind: "text", value: toPlainText(quoted) });
    else if (fenced !== undefined) words.push({ kind: "text", value: fenced });
    else if (pattern !== undefined) words.push({ kind: "pattern", value: pattern.replace(/\\\//g, "/") });
    else words.push({ kind: "plain", value: plain! });
  }
  return words;
}

export function toPlainText(text: string): string {
  const known: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
  return text.replace(/\\(?:u\{([\da-fA-F]{1,6})\}|(.))/gs, (_, code: string | undefined, plain: string) =>
    code === undefined ? (known[plain] ?? plain) : toCharacter(Number.parseInt(code, 16)),
  );
}

const toCharacter = (code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd");

/** Names of generated values. */
export const fillHurl = (text: string, unknown?: (name: string) => void): string =>
  toPlaceholders(
    text.replace(/\{\{\s*newUuid\s*\}\}/g, "{{$uuid}}").replace(/\{\{\s*newDate\s*\}\}/g, "{{$isoTimestamp}}"),
    unknown,
  );

interface Query {
  source: string;
  property: string | undefined;
  rest: Word[];
}

const bare: Record<string, string> = {
  status: "statusCode",
  body: "body",
  duration: "responseTime",
  bytes: "bodySize",
  sha256: "bodySha256",
  url: "url",
};
const named: Record<string, string> = { header: "header", cookie: "cookie", jsonpath: "jsonPath", xpath: "xPath" };

/** The query at the start of an assertion or capture; undefined where nothing here says the same. */
function readQuery([first, ...rest]: Word[]): Query | undefined {
  if (first?.kind !== "plain") return undefined;
  if (first.value in bare) return { source: bare[first.value]!, property: undefined, rest };
  const [argument, ...more] = rest;
  if (!(first.value in named) || argument === undefined || argument.kind === "plain") return undefined;
  const source = named[first.value]!;
  // Attributes of cookies are no values of them.
  if (source === "cookie" && argument.value.includes("[")) return undefined;
  const value = fillHurl(argument.value);
  return { source, property: source === "jsonPath" && !value.startsWith("$") ? `$.${value}` : value, rest: more };
}

function toValue(word: Word | undefined): { target: unknown } | undefined {
  if (!word) return undefined;
  if (word.kind !== "plain") return { target: fillHurl(word.value) };
  const { value } = word;
  if (/^\{\{.*\}\}$/.test(value)) return { target: fillHurl(value) };
  if (/^(true|false|null|-?\d+(\.\d+)?([eE][+-]?\d+)?)$/.test(value)) return { target: JSON.parse(value) };
  const milliseconds = /^(\d+)(ms|s|m)$/.exec(value);
  if (milliseconds)
    return { target: Number(milliseconds[1]) * { ms: 1, s: 1_000, m: 60_000 }[milliseconds[2] as "ms" | "s" | "m"] };
  const hex = /^hex,([\da-fA-F]*);?$/.exec(value)?.[1];
  return hex === undefined ? undefined : { target: hex };
}

const comparisons: Record<string, [string, string]> = {
  "==": ["equals", "notEquals"],
  equals: ["equals", "notEquals"],
  "!=": ["notEquals", "equals"],
  notEquals: ["notEquals", "equals"],
  ">": ["greaterThan", "lessThanOrEqual"],
  greaterThan: ["greaterThan", "lessThanOrEqual"],
  ">=": ["greaterThanOrEqual", "lessThan"],
  greaterThanOrEquals: ["greaterThanOrEqual", "lessThan"],
  "<": ["lessThan", "greaterThanOrEqual"],
  lessThan: ["lessThan", "greaterThanOrEqual"],
  "<=": ["lessThanOrEqual", "greaterThan"],
  lessThanOrEquals: ["lessThanOrEqual", "greaterThan"],
  contains: ["contains", "notContains"],
  includes: ["contains", "notContains"],
  startsWith: ["startsWith", ""],
  endsWith: ["endsWith", ""],
  matches: ["matches", "notMatches"],
};
const lengths: Record<string, (count: number) => [string, number]> = {
  equals: (count) => ["lengthEquals", count],
  greaterThan: (count) => ["lengthGreaterThan", count],
  greaterThanOrEqual: (count) => ["lengthGreaterThan", count - 1],
  lessThan: (count) => ["lengthLessThan", count],
  lessThanOrEqual: (count) => ["lengthLessThan", count + 1],
};
const types: Record<string, string> = {
  isInteger: "integer",
  isString: "string",
  isBoolean: "boolean",
  isNumber: "number",
  isList: "array",
  isObject: "object",
};

/** An assertion of a Hurl file; undefined where nothing here says the same. */
export function toHurlAssertion(line: string): CollectedAssertion | undefined {
  const query = readQuery(splitWords(line));
  if (!query) return undefined;
  const { source, property } = query;
  let rest = query.rest;
  const isCounted = rest[0]?.kind === "plain" && rest[0].value === "count";
  if (isCounted) rest = rest.slice(1);
  const isNegated = rest[0]?.kind === "plain" && rest[0].value === "not";
  if (isNegated) rest = rest.slice(1);
  const [predicate, operand, ...more] = rest;
  if (predicate?.kind !== "plain" || more.length > 0) return undefined;
  const make = (comparison: string, target?: unknown) => ({ source, property, comparison, target });
  const isEither = (yes: string, no: string) => make(isNegated ? no : yes);
  if (!isCounted && operand === undefined) {
    if (predicate.value === "exists") return isEither("exists", "notExists");
    if (predicate.value === "isEmpty") return isEither("isEmpty", "isNotEmpty");
    return predicate.value in types && source === "jsonPath" && !isNegated
      ? make("hasType", types[predicate.value])
      : undefined;
  }
  const comparison = comparisons[predicate.value]?.[isNegated ? 1 : 0];
  if (!comparison) return undefined;
  if (predicate.value === "matches" && operand && operand.kind !== "plain")
    return make(comparison, toPattern({ source: operand.value, flags: "" }));
  const value = toValue(operand);
  if (!value) return undefined;
  if (isCounted) {
    if (typeof value.target !== "number" || !(comparison in lengths)) return undefined;
    return make(...lengths[comparison]!(value.target));
  }
  if (value.target === null && source === "jsonPath" && /quals$/.test(comparison))
    return make(comparison === "equals" ? "isNull" : "isNotNull");
  return make(comparison, value.target);
}

/** A capture of a Hurl file; undefined where nothing here says the same. */
export function toHurlCapture(name: string, text: string): CollectedCapture | undefined {
  const words = splitWords(text);
  const isSecret = words.at(-1)?.value === "redact";
  const [first, second, ...others] = isSecret ? words.slice(0, -1) : words;
  const rest = { name: toVariableName(name), secret: isSecret };
  if (first?.kind === "plain" && first.value === "regex" && second && second.kind !== "plain" && others.length === 0)
    return { ...rest, source: "body", property: second.value, pattern: undefined };
  const query = readQuery([first, second, ...others].filter((word) => word !== undefined));
  if (!query || !/^(statusCode|body|header|cookie|jsonPath|xPath)$/.test(query.source)) return undefined;
  const source = query.source as CollectedCapture["source"];
  const [filter, pattern, ...more] = query.rest;
  if (filter === undefined) return { ...rest, source, property: query.property, pattern: undefined };
  const isPattern = filter.value === "regex" && pattern && pattern.kind !== "plain" && more.length === 0;
  return isPattern && (source === "header" || source === "cookie")
    ? { ...rest, source, property: query.property, pattern: pattern.value }
    : undefined;
}
