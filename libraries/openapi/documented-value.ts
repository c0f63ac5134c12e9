import { isRecord, toList } from "../json/json-value.ts";
import type { Components, Parameter } from "./parameter.ts";
import { listSchemaTypes } from "./parameter-value.ts";

/**
 * Whether a document provides a value for this parameter: an example, default or enumeration, or a boolean. Any other
 * value is generated, and servers need not know it.
 */
export function hasDocumentedValue(
  { schema, examples }: Pick<Parameter, "schema"> & { examples: readonly unknown[] },
  components: Components,
): boolean {
  return examples.length > 0 || givesValue(schema, components, new Set());
}

/** Visits each component once, so that cycles terminate. */
function givesValue(schema: unknown, components: Components, seen: Set<string>): boolean {
  if (!isRecord(schema)) return false;
  const { $ref, allOf, anyOf, oneOf, items } = schema;
  if (schema.const !== undefined || schema.example !== undefined || schema.default !== undefined) return true;
  if (toList(schema.enum).length > 0 || toList(schema.examples).length > 0) return true;
  if (listSchemaTypes(schema, components).includes("boolean")) return true;
  const parts = [items, ...toList(allOf), ...toList(anyOf), ...toList(oneOf)];
  if (typeof $ref === "string" && !seen.has($ref)) {
    seen.add($ref);
    parts.push(components[$ref]);
  }
  return parts.some((part) => givesValue(part, components, seen));
}
