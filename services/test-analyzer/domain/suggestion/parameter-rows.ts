import type { OperationParameter } from "../../../api-registry/contract/operations.ts";

export interface Row {
  name: string;
  value: string;
}

type Described = Pick<OperationParameter, "name" | "in" | "style" | "explode" | "contentMediaType">;

function scalar(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const delimiters: Partial<Record<OperationParameter["style"], string>> = {
  spaceDelimited: " ",
  pipeDelimited: "|",
  tabDelimited: "\t",
};

/** `a,b` where no item holds the delimiter, JSON otherwise. */
function writeList(items: unknown[], delimiter: string): string {
  const texts = items.map(scalar);
  const isPlain = texts.length > 1 && texts.every((text) => !text.includes(delimiter) && !/^\s*[[{]/.test(text));
  return isPlain ? texts.join(delimiter) : JSON.stringify(items);
}

/** The whole query of `in: querystring` (OpenAPI 3.2), encoded as its media type has it. */
function writeWholeQuery(value: unknown, mediaType: string | undefined): string {
  if (typeof value === "string") return value;
  if (mediaType?.includes("json") || !isObject(value)) return encodeURIComponent(JSON.stringify(value));
  const members = Object.entries(value).flatMap(([name, member]) => [member].flat().map((one) => [name, scalar(one)]));
  return new URLSearchParams(members as [string, string][]).toString();
}

/**
 * A parameter's value as rows of a test. The runner applies the document's style and encoding, so a row holds the value
 * itself: a list as repeated rows or with its delimiter, an object as JSON.
 */
export function rowsOfParameter(parameter: Described, value: unknown): Row[] {
  const { name } = parameter;
  if (parameter.in === "querystring") return [{ name, value: writeWholeQuery(value, parameter.contentMediaType) }];
  if (parameter.contentMediaType !== undefined) {
    return [{ name, value: typeof value === "string" ? value : JSON.stringify(value) }];
  }
  if (!Array.isArray(value)) return [{ name, value: scalar(value) }];
  if (parameter.in === "query" && parameter.explode) return value.map((item) => ({ name, value: scalar(item) }));
  // An exploded list in a path is told from a text with commas only by its brackets.
  if (parameter.in === "path" && parameter.explode) return [{ name, value: JSON.stringify(value) }];
  return [{ name, value: writeList(value, delimiters[parameter.style] ?? ",") }];
}
