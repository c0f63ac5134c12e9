import type { OperationParameter, OperationWithComponents } from "../../api-registry/contract/operations.ts";
import { encodePart, encodeReserved } from "./percent-encoding.ts";

/** A parameter's value as it was meant: the test holds texts, where `[1,2]` may be a list and `{"a":1}` an object. */
export type ParameterValue =
  | { shape: "primitive"; text: string }
  | { shape: "array"; items: string[] }
  | { shape: "object"; members: [name: string, value: string][] };

export type Style = Pick<OperationParameter, "style" | "explode" | "allowReserved">;

export const defaultStyles: Record<"path" | "query" | "header" | "cookie", Style> = {
  path: { style: "simple", explode: false, allowReserved: false },
  query: { style: "form", explode: true, allowReserved: false },
  header: { style: "simple", explode: false, allowReserved: false },
  cookie: { style: "form", explode: true, allowReserved: false },
};

const delimiters: Partial<Record<Style["style"], string>> = {
  simple: ",",
  form: ",",
  label: ",",
  matrix: ",",
  spaceDelimited: " ",
  pipeDelimited: "|",
  tabDelimited: "\t",
};

function typesOf(schema: OperationParameter["schema"], components: OperationWithComponents["components"]): unknown[] {
  let current = schema;
  // Ten steps end a circle of references.
  for (let step = 0; step < 10 && current && typeof current === "object"; step += 1) {
    if (typeof current.$ref !== "string") return [current.type].flat();
    current = components[current.$ref];
  }
  return [];
}

/**
 * Reads a test's text as the documented type. Lists may be written as JSON or with the style's own delimiter;
 * objects as JSON. Anything that can't be read so is sent as the text it is: a test may be wrong on purpose.
 */
export function readParameterValue(
  text: string,
  parameter: OperationParameter | undefined,
  components: OperationWithComponents["components"],
): ParameterValue {
  if (!parameter || parameter.contentMediaType) return { shape: "primitive", text };
  const types = typesOf(parameter.schema, components);
  const structured = types.length === 0 || types.includes("array") || types.includes("object");
  if (structured && /^\s*[[{]/.test(text)) {
    const parsed = parseStructure(text);
    if (parsed) return parsed;
  }
  const delimiter = delimiters[parameter.style];
  const listed = types.includes("array") && delimiter !== undefined && !parameter.explode && text.includes(delimiter);
  return listed ? { shape: "array", items: text.split(delimiter) } : { shape: "primitive", text };
}

function parseStructure(text: string): ParameterValue | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const write = (item: unknown) => (typeof item === "string" ? item : JSON.stringify(item));
  if (Array.isArray(value)) return { shape: "array", items: value.map(write) };
  return {
    shape: "object",
    members: Object.entries(value as object).map(([name, member]) => [name, write(member)]),
  };
}

/** What stands in the path for `{name}`, RFC 6570 as OpenAPI uses it. */
export function writePathParameter(name: string, value: ParameterValue, { style, explode }: Style): string {
  const encode = encodePart;
  if (style === "matrix") {
    if (value.shape === "primitive") return `;${encode(name)}=${encode(value.text)}`;
    if (value.shape === "array" && explode)
      return value.items.map((item) => `;${encode(name)}=${encode(item)}`).join("");
    if (value.shape === "object" && explode)
      return value.members.map((member) => `;${pairOf(member, encode)}`).join("");
    return `;${encode(name)}=${listOf(value, encode, ",")}`;
  }
  const prefix = style === "label" ? "." : "";
  if (value.shape === "primitive") return prefix + encode(value.text);
  const separator = style === "label" && explode ? "." : ",";
  if (value.shape === "object" && explode) {
    return prefix + value.members.map((member) => pairOf(member, encode)).join(separator);
  }
  return prefix + listOf(value, encode, separator);
}

/** `name=value` parts of the query. */
export function writeQueryParameter(
  name: string,
  value: ParameterValue,
  { style, explode, allowReserved }: Style,
): string[] {
  const encode = allowReserved ? encodeReserved : encodePart;
  const key = encodePart(name);
  if (value.shape === "primitive") return [`${key}=${encode(value.text)}`];
  if (style === "deepObject" && value.shape === "object") {
    return value.members.map(([member, text]) => `${key}%5B${encodePart(member)}%5D=${encode(text)}`);
  }
  if (explode && value.shape === "array") return value.items.map((item) => `${key}=${encode(item)}`);
  if (explode && value.shape === "object") return value.members.map((member) => pairOf(member, encode));
  const delimiter = style === "spaceDelimited" ? "%20" : style === "pipeDelimited" ? "%7C" : ",";
  return [`${key}=${listOf(value, encode, delimiter)}`];
}

/** A header's value; a cookie's too, whose parts the caller encodes. */
export function writeHeaderParameter(value: ParameterValue, { explode }: Style): string {
  if (value.shape === "primitive") return value.text;
  if (value.shape === "array") return value.items.join(",");
  return value.members.map(([name, text]) => (explode ? `${name}=${text}` : `${name},${text}`)).join(",");
}

function pairOf([name, text]: [string, string], encode: (text: string) => string): string {
  return `${encodePart(name)}=${encode(text)}`;
}

function listOf(
  value: Exclude<ParameterValue, { shape: "primitive" }>,
  encode: (text: string) => string,
  separator: string,
): string {
  const parts = value.shape === "array" ? value.items : value.members.flat();
  return parts.map(encode).join(separator);
}
