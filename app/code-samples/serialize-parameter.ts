import type { OperationParameter } from "../../services/api-registry/contract/operations.ts";

export interface Pair {
  name: string;
  value: string;
}

type Serialized = Pick<OperationParameter, "name" | "in" | "style" | "explode" | "contentMediaType">;

const delimiters: Partial<Record<OperationParameter["style"], string>> = {
  spaceDelimited: " ",
  pipeDelimited: "|",
  tabDelimited: "\t",
};

function text(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/**
 * A parameter's value as the names and values that are sent, not yet percent-encoded (OpenAPI 3.1, "Style Values";
 * RFC 6570). A path parameter gives one pair, whose value takes the place of its braces.
 */
export function serializeParameter(parameter: Serialized, value: unknown): Pair[] {
  const { name, style, explode } = parameter;
  if (parameter.contentMediaType !== undefined) {
    return [{ name, value: typeof value === "string" ? value : JSON.stringify(value) }];
  }
  if (style === "label") return [{ name, value: `.${joined(value, explode, ".", ",")}` }];
  if (style === "matrix") return [{ name, value: matrix(name, value, explode) }];
  if (style === "simple") return [{ name, value: joined(value, explode, ",", ",") }];
  const delimiter = delimiters[style] ?? ",";
  if (Array.isArray(value)) {
    if (style === "deepObject" || explode) return value.map((item) => ({ name, value: text(item) }));
    return [{ name, value: value.map(text).join(delimiter) }];
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value);
    if (style === "deepObject") return members.map(([key, item]) => ({ name: `${name}[${key}]`, value: text(item) }));
    if (explode) return members.map(([key, item]) => ({ name: key, value: text(item) }));
    return [{ name, value: members.flatMap(([key, item]) => [key, text(item)]).join(delimiter) }];
  }
  return [{ name, value: text(value) }];
}

function joined(value: unknown, explode: boolean, exploded: string, plain: string): string {
  const separator = explode ? exploded : plain;
  if (Array.isArray(value)) return value.map(text).join(separator);
  if (typeof value !== "object" || value === null) return text(value);
  const members = Object.entries(value);
  return explode
    ? members.map(([key, item]) => `${key}=${text(item)}`).join(separator)
    : members.flatMap(([key, item]) => [key, text(item)]).join(separator);
}

function matrix(name: string, value: unknown, explode: boolean): string {
  if (!explode || typeof value !== "object" || value === null) return `;${name}=${joined(value, false, ",", ",")}`;
  if (Array.isArray(value)) return value.map((item) => `;${name}=${text(item)}`).join("");
  return Object.entries(value)
    .map(([key, item]) => `;${key}=${text(item)}`)
    .join("");
}
