import { isJsonObject, type Json } from "../json/json.ts";
import { formatValue, type Style } from "./parameter.ts";
import type { ParameterValue } from "./parameter-value.ts";
import { encodePart, encodeReserved } from "./percent-encoding.ts";

type Encode = (text: string) => string;

/** The path text for `{name}` (RFC 6570 as used by OpenAPI), percent-encoded. */
export function writePathParameter(name: string, value: ParameterValue, { style, explode }: Style): string {
  const encode = encodePart;
  if (style === "matrix") {
    if (value.shape === "primitive") return `;${encode(name)}=${encode(value.text)}`;
    if (value.shape === "array" && explode)
      return value.items.map((item) => `;${encode(name)}=${encode(formatValue(item))}`).join("");
    if (value.shape === "object" && explode)
      return value.members.map((member) => `;${encodePair(member, encode)}`).join("");
    return `;${encode(name)}=${encodeList(value, encode, ",")}`;
  }
  const prefix = style === "label" ? "." : "";
  if (value.shape === "primitive") return prefix + encode(value.text);
  const separator = style === "label" && explode ? "." : ",";
  if (value.shape === "object" && explode) {
    return prefix + value.members.map((member) => encodePair(member, encode)).join(separator);
  }
  return prefix + encodeList(value, encode, separator);
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
  const delimiter = { spaceDelimited: "%20", pipeDelimited: "%7C", tabDelimited: "%09" }[style as string] ?? ",";
  return [`${key}=${encodeList(value, encode, delimiter)}`];
}

/** The value of a header, or of a cookie, whose parts the caller encodes. */
export function writeHeaderParameter(value: ParameterValue, { explode }: Style): string {
  if (value.shape === "primitive") return value.text;
  if (value.shape === "array") return value.items.map(formatValue).join(",");
  return value.members.map(([name, member]) => `${name}${explode ? "=" : ","}${formatValue(member)}`).join(",");
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

function encodeList(value: Exclude<ParameterValue, { shape: "primitive" }>, encode: Encode, separator: string): string {
  const parts = value.shape === "array" ? value.items : value.members.flat();
  return parts.map((part) => encode(formatValue(part))).join(separator);
}
