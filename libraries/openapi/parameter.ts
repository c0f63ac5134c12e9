import type { Json } from "../json/json.ts";
import { writeJson } from "../json/write-json.ts";

/** The input of parameter serialization (OpenAPI 3.2, "Parameter Object"); 2.0 is translated. */
export interface Parameter extends Style {
  name: string;
  in: "path" | "query" | "header" | "cookie" | "querystring";
  schema?: unknown;
  /** Set instead of a style when the parameter is described by `content`. */
  contentMediaType?: string | undefined;
}

export interface Style {
  style:
    | "simple"
    | "label"
    | "matrix"
    | "form"
    | "spaceDelimited"
    | "pipeDelimited"
    | "deepObject"
    | "tabDelimited"
    | "cookie";
  explode: boolean;
  allowReserved: boolean;
}

/** Schemas by `$ref`. */
export type Components = Record<string, unknown>;

export const defaultStyles: Record<"path" | "query" | "header" | "cookie", Style> = {
  path: { style: "simple", explode: false, allowReserved: false },
  query: { style: "form", explode: true, allowReserved: false },
  header: { style: "simple", explode: false, allowReserved: false },
  cookie: { style: "form", explode: true, allowReserved: false },
};

/** The delimiter of a list that is not exploded; a comma for unknown styles. */
export function getDelimiter(style: string | undefined): string {
  return { spaceDelimited: " ", pipeDelimited: "|", tabDelimited: "\t" }[style ?? ""] ?? ",";
}

/** A scalar as text; nested values have no defined form and are written as JSON. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? writeJson(value as Json) : String(value);
}
