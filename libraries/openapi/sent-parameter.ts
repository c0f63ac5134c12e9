import type { Parameter } from "./parameter.ts";
import { getDelimiter } from "./parameter.ts";

/** The shape that a parameter's schema gives it. */
export type Shape = "primitive" | "array" | "object";

/** What was sent, as texts; an object's members are in a map, since its sender chooses their names. */
export type SentTexts =
  | { shape: "primitive"; text: string }
  | { shape: "array"; items: string[] }
  | { shape: "object"; members: Map<string, string> };

type Described = Pick<Parameter, "name" | "in" | "style" | "explode">;

/**
 * Reads a path segment or the value of a header or cookie as its style wrote it: the inverse of `writePathParameter` and
 * `writeHeaderParameter`.
 * @param text as it was sent, percent-encoded in a path
 * @returns undefined for a text that this style does not write
 */
export function readSentText(parameter: Described, text: string, shape: Shape): SentTexts | undefined {
  const { style, explode, name, in: place } = parameter;
  const decode = place === "path" ? decodeText : (one: string) => one;
  if (style === "matrix") return readMatrix(name, text, explode, shape);
  if (style === "label" && !text.startsWith(".")) return undefined;
  const own = style === "label" ? text.slice(1) : text;
  return readParts(own, style === "label" && explode ? "." : ",", explode, shape, decode);
}

/**
 * Reads a query as its style wrote it: the inverse of `writeQueryParameter`. An exploded object of the style `form` is not read,
 * as its members can't be distinguished from other parameters.
 * @param pairs names and values as they were sent, percent-encoded
 * @returns "absent" if nothing was sent; undefined for what this style does not write
 */
export function readSentQuery(
  { name, style, explode }: Described,
  pairs: readonly [name: string, value: string][],
  shape: Shape,
): SentTexts | "absent" | undefined {
  if (style === "deepObject") return shape === "object" ? readDeepObject(name, pairs) : undefined;
  if (explode && shape === "object") return undefined;
  const own = pairs.filter(([sent]) => decodeForm(sent) === name).map(([, value]) => value);
  const [first] = own;
  if (first === undefined) return "absent";
  if (shape === "array" && explode) return { shape, items: own.map(decodeForm) };
  if (own.length > 1) return undefined;
  const delimiter = getDelimiter(style);
  // A comma between items is sent as it is, other delimiters are encoded.
  return delimiter === ","
    ? readParts(first, delimiter, false, shape, decodeForm)
    : readParts(decodeForm(first), delimiter, false, shape, (text) => text);
}

/** Names and values of a query, as they were sent. */
export function splitQuery(query: string): [name: string, value: string][] {
  return query
    .replace(/^\?/, "")
    .split("&")
    .filter((pair) => pair !== "")
    .map(splitPair);
}

function splitPair(pair: string): [name: string, value: string] {
  const at = pair.indexOf("=");
  return at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
}

function readMatrix(name: string, text: string, explode: boolean, shape: Shape): SentTexts | undefined {
  if (!text.startsWith(";")) return undefined;
  const pairs = text.slice(1).split(";").map(splitPair);
  if (explode && shape === "object") return toObject(pairs, decodeText);
  if (pairs.some(([own]) => decodeText(own) !== name)) return undefined;
  if (explode && shape === "array") return { shape, items: pairs.map(([, value]) => decodeText(value)) };
  return pairs.length === 1 ? readParts(pairs[0]![1], ",", false, shape, decodeText) : undefined;
}

function readDeepObject(name: string, pairs: readonly [string, string][]): SentTexts | "absent" | undefined {
  const own = pairs
    .map(([sent, value]): [string, string] => [decodeForm(sent), value])
    .filter(([sent]) => sent.startsWith(`${name}[`));
  if (own.length === 0) return "absent";
  const members = own.map(([sent, value]): [string, string] => [sent.slice(name.length + 1, -1), value]);
  // Deeper levels are not defined.
  const isFlat = own.every(([sent]) => sent.endsWith("]")) && members.every(([member]) => !/[[\]]/.test(member));
  return isFlat ? toObject(members, (text) => text, decodeForm) : undefined;
}

function readParts(
  text: string,
  delimiter: string,
  explode: boolean,
  shape: Shape,
  decode: (text: string) => string,
): SentTexts | undefined {
  if (shape === "primitive") return { shape, text: decode(text) };
  const parts = text.split(delimiter);
  if (shape === "array") return { shape, items: parts.map(decode) };
  if (explode) return toObject(parts.map(splitPair), decode);
  if (parts.length % 2 !== 0) return undefined;
  const pairs = parts.flatMap((part, index): [string, string][] => (index % 2 ? [] : [[part, parts[index + 1]!]]));
  return toObject(pairs, decode);
}

/** Undefined where a member was sent twice. */
function toObject(
  pairs: readonly [string, string][],
  decodeName: (text: string) => string,
  decodeValue = decodeName,
): SentTexts | undefined {
  const members = new Map(pairs.map(([name, value]) => [decodeName(name), decodeValue(value)]));
  return members.size === pairs.length ? { shape: "object", members } : undefined;
}

/** As a form's reader does: a plus sign is a space. */
function decodeForm(text: string): string {
  return decodeText(text.replaceAll("+", " "));
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
