import { isRecord } from "../json/json-value.ts";
import { type Components, formatValue, getDelimiter, type Parameter } from "./parameter.ts";
import { listSchemaTypes } from "./parameter-value.ts";

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
  if (parameter.in === "querystring") return [{ name, value: writeWholeQuery(value, parameter.contentMediaType) }];
  if (parameter.contentMediaType !== undefined) {
    return [{ name, value: typeof value === "string" ? value : JSON.stringify(value) }];
  }
  if (!Array.isArray(value)) return [{ name, value: formatValue(value) }];
  if (parameter.in === "query" && parameter.explode) return value.map((item) => ({ name, value: formatValue(item) }));
  // In other cases an exploded list, or one of an undocumented type, is recognized only by its brackets.
  const isKnown = listSchemaTypes(parameter.schema, components).includes("array");
  if (!isKnown || (parameter.explode && parameter.in !== "header")) return [{ name, value: JSON.stringify(value) }];
  return [{ name, value: writeList(value, getDelimiter(parameter.style)) }];
}

/** `a,b` when no item contains the delimiter, JSON otherwise. */
function writeList(items: unknown[], delimiter: string): string {
  const texts = items.map(formatValue);
  const isPlain = texts.length > 1 && texts.every((text) => !text.includes(delimiter) && !/^\s*[[{]/.test(text));
  return isPlain ? texts.join(delimiter) : JSON.stringify(items);
}

/** The entire query of `in: querystring` (OpenAPI 3.2), encoded by its media type. */
function writeWholeQuery(value: unknown, mediaType: string | undefined): string {
  if (typeof value === "string") return value;
  if (mediaType?.includes("json") || !isRecord(value)) return encodeURIComponent(JSON.stringify(value));
  const members = Object.entries(value).flatMap(([name, member]) =>
    [member].flat().map((one) => [name, formatValue(one)]),
  );
  return new URLSearchParams(members as [string, string][]).toString();
}
