import { isRecord } from "../json/json-value.ts";
import { parseJson, UnreadableJson } from "../json/parse-json.ts";
import { type Components, getDelimiter, type Parameter } from "./parameter.ts";

/** The intended value of a parameter: a test stores texts, where `[1,2]` may be a list and `{"a":1}` an object. */
export type ParameterValue =
  | { shape: "primitive"; text: string }
  | { shape: "array"; items: unknown[] }
  | { shape: "object"; members: [name: string, value: unknown][] };

/** The types that a schema allows, resolved through references and combinations; empty when it names none. */
export function listSchemaTypes(schema: unknown, components: Components): string[] {
  return collectTypes(schema, components, new Set());
}

/** Visits each component once, so that cycles terminate and repeated references don't multiply. */
function collectTypes(schema: unknown, components: Components, seen: Set<string>): string[] {
  if (!isRecord(schema)) return [];
  if (typeof schema.$ref === "string") {
    if (seen.has(schema.$ref)) return [];
    seen.add(schema.$ref);
    return collectTypes(components[schema.$ref], components, seen);
  }
  const own = [schema.type].flat().filter((type): type is string => typeof type === "string");
  if (own.length > 0) return own;
  const combined = [schema.allOf, schema.oneOf, schema.anyOf]
    .flatMap((part) => (Array.isArray(part) ? part : []))
    .flatMap((part) => collectTypes(part, components, seen));
  if (combined.length > 0) return combined;
  if (isRecord(schema.properties)) return ["object"];
  return schema.items === undefined ? [] : ["array"];
}

/**
 * Reads a test's text as the documented type. Lists may be written as JSON or with the style's delimiter; objects as
 * JSON. Any other text is sent unchanged: a test may be wrong on purpose.
 */
export function readParameterText(
  text: string,
  parameter: Parameter | undefined,
  components: Components,
): ParameterValue {
  if (!parameter || parameter.contentMediaType) return { shape: "primitive", text };
  const types = listSchemaTypes(parameter.schema, components);
  const structured = types.length === 0 || types.includes("array") || types.includes("object");
  if (structured && /^\s*[[{]/.test(text)) {
    const parsed = parseStructure(text);
    if (parsed) return parsed;
  }
  const delimiter = getDelimiter(parameter.style);
  const listed = types.includes("array") && !parameter.explode && text.includes(delimiter);
  return listed ? { shape: "array", items: text.split(delimiter) } : { shape: "primitive", text };
}

function parseStructure(text: string): ParameterValue | undefined {
  try {
    const value = parseJson(text);
    if (Array.isArray(value)) return { shape: "array", items: value };
    return { shape: "object", members: Object.entries(value as object) };
  } catch (error) {
    if (error instanceof UnreadableJson) return undefined;
    throw error;
  }
}
