import type { Json } from "../json/json.ts";
import { isRecord } from "../json/json-value.ts";
import { writeJson } from "../json/write-json.ts";
import { type Components, formatValue, getDelimiter, type Parameter } from "./parameter.ts";
import { listSchemaTypes } from "./parameter-value.ts";
import { encodePart, encodeQuery } from "./percent-encoding.ts";

export interface Row {
  name: string;
  value: string;
}

/**
 * Converts a parameter's value to rows of a test. Style and encoding are applied on sending, so a row contains the
 * plain value: a list as repeated rows or delimited, an object as JSON. `readParameterText` is the inverse.
 */
export function toParameterRows(
  parameter: Omit<Parameter, "allowReserved">,
  value: unknown,
  components: Components,
): Row[] {
  const { name } = parameter;
  if (parameter.in === "querystring") return [{ name, value: writeWholeQuery(parameter, value, components) }];
  if (parameter.contentMediaType !== undefined) return [{ name, value: writeContent(parameter, value, components) }];
  if (!Array.isArray(value)) return [{ name, value: formatValue(value) }];
  const looksLikeJson = value.some((item) => jsonStart.test(formatValue(item)));
  if (parameter.in === "query" && parameter.explode && !looksLikeJson)
    return value.map((item) => ({ name, value: formatValue(item) }));
  // In other cases an exploded list, or one of an undocumented type, is recognized only by its brackets.
  const isKnown = listSchemaTypes(parameter.schema, components).includes("array");
  if (!isKnown || (parameter.explode && parameter.in !== "header")) return [{ name, value: formatValue(value) }];
  return [{ name, value: writeList(value, getDelimiter(parameter.style)) }];
}

/** A text that is read as a list or object. */
const jsonStart = /^\s*[[{]/;

/** `a,b` when no item contains the delimiter, JSON otherwise. */
function writeList(items: unknown[], delimiter: string): string {
  const texts = items.map(formatValue);
  const isPlain = texts.length > 1 && texts.every((text) => !text.includes(delimiter) && !jsonStart.test(text));
  return isPlain ? texts.join(delimiter) : formatValue(items);
}

type Described = Pick<Parameter, "schema" | "contentMediaType">;

/** The entire query of `in: querystring` (OpenAPI 3.2), encoded: forms by themselves, other media types by RFC 3986. */
function writeWholeQuery(parameter: Described, value: unknown, components: Components): string {
  const text = writeContent(parameter, value, components);
  const { contentMediaType = "" } = parameter;
  if (isForm.test(contentMediaType)) return text;
  // Its format is described elsewhere, often `a=1&b=2`; decoded as a whole it is the same with and without encoding.
  return /^text\/plain\b/i.test(contentMediaType) ? encodeQuery(text) : encodePart(text);
}

const isForm = /^application\/x-www-form-urlencoded\b/i;

/** The text of a parameter described by `content`. A string is the text itself unless the document expects a JSON string. */
function writeContent({ contentMediaType = "", schema }: Described, value: unknown, components: Components): string {
  if (typeof value === "string") {
    const types = listSchemaTypes(schema, components);
    const isJsonString = /[/+]json\b/i.test(contentMediaType) && types.includes("string");
    return isJsonString ? JSON.stringify(value) : value;
  }
  if (!isForm.test(contentMediaType) || !isRecord(value)) return writeJson(value as Json);
  const members = Object.entries(value).flatMap(([name, member]) =>
    [member].flat().map((one): [string, string] => [name, formatValue(one)]),
  );
  return new URLSearchParams(members).toString();
}
