import { isJsonObject, type Json } from "../json/json.ts";
import { formatValue, getDelimiter, type Style } from "./parameter.ts";
import type { ParameterValue } from "./parameter-value.ts";
import { encodeCookiePart, encodePart, encodeReserved, encodeReservedInPath } from "./percent-encoding.ts";

type Encode = (text: string) => string;

/** The path text for `{name}` (RFC 6570 as used by OpenAPI), percent-encoded. */
export function writePathParameter(
  name: string,
  value: ParameterValue,
  { style, explode, allowReserved }: Style,
): string {
  const encode = allowReserved ? encodeReservedInPath : encodePart;
  if (style === "matrix") {
    const key = encodePart(name);
    if (value.shape === "primitive") return matrixPart(key, encode(value.text));
    if (value.shape === "array" && explode)
      return value.items.map((item) => matrixPart(key, encode(formatValue(item)))).join("");
    if (value.shape === "object" && explode)
      return value.members.map(([member, item]) => matrixPart(encodePart(member), encode(formatValue(item)))).join("");
    return matrixPart(key, encodeList(value, encode, ","));
  }
  const prefix = style === "label" ? "." : "";
  if (value.shape === "primitive") return prefix + encode(value.text);
  const delimiter = style === "label" && explode ? "." : encodeDelimiter(style);
  if (value.shape === "object" && explode) {
    return prefix + value.members.map((member) => encodePair(member, encode)).join(delimiter);
  }
  return prefix + encodeList(value, encode, delimiter);
}

/** RFC 6570, 3.2.7: an empty value has no equals sign. */
function matrixPart(name: string, text: string): string {
  return text === "" ? `;${name}` : `;${name}=${text}`;
}

/** `name=value` parts of the query, percent-encoded. */
export function writeQueryParameter(
  name: string,
  value: ParameterValue,
  { style, explode, allowReserved }: Style,
): string[] {
  const encode = allowReserved ? encodeReserved : encodePart;
  const key = encodePart(name);
  if (value.shape === "primitive") return [`${key}=${encode(value.text)}`];
  if (style === "deepObject" && value.shape === "object") {
    return deepPairs(name, Object.fromEntries(value.members)).map(
      ([deepName, text]) => `${encodePart(deepName)}=${encode(text)}`,
    );
  }
  if (explode && value.shape === "array") return value.items.map((item) => `${key}=${encode(formatValue(item))}`);
  if (explode && value.shape === "object") return value.members.map((member) => encodePair(member, encode));
  return [`${key}=${encodeList(value, encode, encodeDelimiter(style))}`];
}

/** The value of a header, which is never percent-encoded. */
export function writeHeaderParameter(value: ParameterValue, { style, explode }: Style): string {
  if (value.shape === "primitive") return value.text;
  const delimiter = getDelimiter(style);
  if (value.shape === "array") return value.items.map(formatValue).join(delimiter);
  const between = explode ? "=" : delimiter;
  return value.members.map(([name, member]) => `${name}${between}${formatValue(member)}`).join(delimiter);
}

/**
 * `name=value` pairs of the Cookie header. The style `cookie` (3.2) passes values unchanged. `form` encodes what a
 * cookie can't have, and no percent signs: most documents don't choose a style, and a session's cookie goes back as it
 * came. An exploded list or object has `&` in one cookie, as RFC 6570 and the
 * standard's table define, although 3.2 advises against it.
 */
export function writeCookieParameter(name: string, value: ParameterValue, { style, explode }: Style): string[] {
  const encode = style === "cookie" ? (text: string) => text : encodeCookiePart;
  const toPair = ([key, item]: [string, unknown]) => `${key}=${encode(formatValue(item))}`;
  if (value.shape === "primitive") return [`${name}=${encode(value.text)}`];
  if (!explode) return [`${name}=${encodeList(value, encode, ",")}`];
  const pairs = (
    value.shape === "array" ? value.items.map((item): [string, unknown] => [name, item]) : value.members
  ).map(toPair);
  return style === "cookie" || pairs.length === 0 ? pairs : [pairs.join("&")];
}

/**
 * `deepObject` as name and value pairs: `color[R]`, `100`. The standard doesn't define deeper levels; they are written
 * as servers that accept them parse them, `a[b][c]` and `a[0]`.
 */
export function deepPairs(name: string, value: unknown): [name: string, text: string][] {
  if (Array.isArray(value)) return value.flatMap((item, index) => deepPairs(`${name}[${index}]`, item));
  if (!isJsonObject(value as Json)) return [[name, formatValue(value)]];
  return Object.entries(value as object).flatMap(([member, item]) => deepPairs(`${name}[${member}]`, item));
}

function encodePair([name, value]: [string, unknown], encode: Encode): string {
  return `${encodePart(name)}=${encode(formatValue(value))}`;
}

/** A comma is reserved for this purpose and stays; the others are in no URL. */
function encodeDelimiter(style: Style["style"]): string {
  const delimiter = getDelimiter(style);
  return delimiter === "," ? delimiter : encodePart(delimiter);
}

function encodeList(value: Exclude<ParameterValue, { shape: "primitive" }>, encode: Encode, separator: string): string {
  const parts = value.shape === "array" ? value.items : value.members.flat();
  return parts.map((part) => encode(formatValue(part))).join(separator);
}
