import { isRecord } from "../json/json-value.ts";
import { type Components, delimiterOf, type Parameter, textOfValue } from "./parameter.ts";
import { typesOfSchema } from "./parameter-value.ts";

export interface Row {
  name: string;
  value: string;
}

/**
 * A parameter's value as rows of a test. Style and encoding are applied when it is sent, so a row holds the value itself:
 * a list as repeated rows or with its delimiter, an object as JSON. `readParameterText` reads it back.
 */
export function rowsOfParameter(
  parameter: Omit<Parameter, "allowReserved">,
  value: unknown,
  components: Components,
): Row[] {
  const { name } = parameter;
  if (parameter.in === "querystring") return [{ name, value: writeWholeQuery(value, parameter.contentMediaType) }];
  if (parameter.contentMediaType !== undefined) {
    return [{ name, value: typeof value === "string" ? value : JSON.stringify(value) }];
  }
  if (!Array.isArray(value)) return [{ name, value: textOfValue(value) }];
  if (parameter.in === "query" && parameter.explode) return value.map((item) => ({ name, value: textOfValue(item) }));
  // Elsewhere an exploded list, or one whose type is not documented, is told from a text only by its brackets.
  const isKnown = typesOfSchema(parameter.schema, components).includes("array");
  if (!isKnown || (parameter.explode && parameter.in !== "header")) return [{ name, value: JSON.stringify(value) }];
  return [{ name, value: writeList(value, delimiterOf(parameter.style)) }];
}

/** `a,b` where no item holds the delimiter, JSON otherwise. */
function writeList(items: unknown[], delimiter: string): string {
  const texts = items.map(textOfValue);
  const isPlain = texts.length > 1 && texts.every((text) => !text.includes(delimiter) && !/^\s*[[{]/.test(text));
  return isPlain ? texts.join(delimiter) : JSON.stringify(items);
}

/** The whole query of `in: querystring` (OpenAPI 3.2), encoded as its media type has it. */
function writeWholeQuery(value: unknown, mediaType: string | undefined): string {
  if (typeof value === "string") return value;
  if (mediaType?.includes("json") || !isRecord(value)) return encodeURIComponent(JSON.stringify(value));
  const members = Object.entries(value).flatMap(([name, member]) =>
    [member].flat().map((one) => [name, textOfValue(one)]),
  );
  return new URLSearchParams(members as [string, string][]).toString();
}
