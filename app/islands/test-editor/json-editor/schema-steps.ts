import type { SchemaObject } from "#contracts/api-registry/operations.ts";
import {
  type Components,
  isRecord,
  isSchema,
  list,
  resolveSchema,
  type SchemaRecord,
} from "~/features/schema-view/read-schema";

export interface JsonSchema {
  schema: SchemaObject;
  components: Components;
}

/** Maximum of schemas per value: circular schemas unfold for ever. */
const maxSchemas = 60;

/**
 * Every schema that applies to one value: the schema itself, its references, and the members of `allOf`, `anyOf` and
 * `oneOf`. Completions come from all of them, since the intended alternative is known only later.
 */
export function contributions({ schema, components }: JsonSchema): SchemaRecord[] {
  const found: SchemaRecord[] = [];
  const waiting: SchemaObject[] = [schema];
  const seen = new Set<unknown>();
  while (waiting.length > 0 && found.length < maxSchemas) {
    const next = waiting.shift()!;
    if (seen.has(next)) continue;
    seen.add(next);
    const { schema: resolved } = resolveSchema(next, "", components);
    if (!isRecord(resolved)) continue;
    found.push(resolved);
    for (const keyword of ["allOf", "anyOf", "oneOf"]) waiting.push(...list(resolved[keyword]).filter(isSchema));
  }
  return found;
}

/** The schemas of the value at a path below the root. */
export function schemasAt(root: JsonSchema, path: readonly (string | number)[]): SchemaRecord[] {
  let current = contributions(root);
  for (const step of path) {
    const below = current.flatMap((schema) => stepInto(schema, step));
    current = below.flatMap((schema) => contributions({ schema, components: root.components })).slice(0, maxSchemas);
  }
  return current;
}

function stepInto(schema: SchemaRecord, step: string | number): SchemaObject[] {
  if (typeof step === "number") {
    const { prefixItems, items } = schema;
    const placed = Array.isArray(prefixItems) ? prefixItems[step] : Array.isArray(items) ? items[step] : undefined;
    return [placed ?? items].filter(isSchema);
  }
  const { properties, additionalProperties } = schema;
  if (isRecord(properties) && Object.hasOwn(properties, step)) return [properties[step]].filter(isSchema);
  return isRecord(additionalProperties) ? [additionalProperties] : [];
}

/** Names of the types that a schema allows; empty if it does not say. */
export function getTypes(schema: SchemaRecord): string[] {
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((type) => typeof type === "string");
  return types.length > 0 && (schema.nullable === true || schema["x-nullable"] === true) ? [...types, "null"] : types;
}
