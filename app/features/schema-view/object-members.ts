import type { SchemaObject } from "#contracts/api-registry/operations.ts";
import { type Components, isRecord, isSchema, join, list, resolveSchema, type SchemaRecord } from "./read-schema.ts";

export interface Member {
  name: string;
  schema: SchemaObject;
  location: string;
  trail: readonly string[];
}

export interface ObjectMembers {
  /** By name, in the document's order. */
  members: Map<string, Member>;
  required: Set<string>;
  /** Components whose properties were merged from `allOf`. */
  combined: string[];
  /** Whether descriptions and rules of `allOf` members were left out. */
  merged: boolean;
}

/** An `allOf` member with only these keywords adds properties and can be merged into the whole. */
const addsProperties = new Set(
  "type properties required description title example examples allOf xml externalDocs discriminator additionalProperties default deprecated".split(
    " ",
  ),
);

function isPlainObject(schema: SchemaRecord | boolean): schema is SchemaRecord {
  if (typeof schema === "boolean") return false;
  if (schema.type !== undefined && schema.type !== "object") return false;
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== true) return false;
  return Object.keys(schema).every((key) => addsProperties.has(key) || key.startsWith("x-"));
}

/**
 * The properties of an object merged with those of its `allOf` members, which most documents use as inheritance.
 * `merged` is false when a member has other keywords: it is then shown as a separate part. A component inherited in
 * several ways is merged once: a few levels that each inherit twice would be millions.
 */
export function getMembers(
  schema: SchemaRecord,
  place: string,
  trail: readonly string[],
  components: Components,
  taken = new Set<string>(),
): ObjectMembers {
  const found: ObjectMembers = { members: new Map(), required: new Set(), combined: [], merged: true };
  for (const [index, part] of list(schema.allOf).entries()) {
    if (!isSchema(part)) continue;
    const resolved = resolveSchema(part, join(place, "allOf", index), components, trail);
    if (resolved.recursive || !isPlainObject(resolved.schema)) return ownMembers(schema, place, trail);
    if (taken.has(resolved.location)) continue;
    taken.add(resolved.location);
    const inner = getMembers(resolved.schema, resolved.location, resolved.trail, components, taken);
    if (!inner.merged) return ownMembers(schema, place, trail);
    if (resolved.componentName) found.combined.push(resolved.componentName);
    found.combined.push(...inner.combined);
    take(found, inner);
  }
  take(found, { ...ownMembers(schema, place, trail), merged: true });
  return found;
}

function ownMembers(schema: SchemaRecord, place: string, trail: readonly string[]): ObjectMembers {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const members = Object.entries(properties).flatMap(([name, value]): [string, Member][] =>
    isSchema(value) ? [[name, { name, schema: value, location: join(place, "properties", name), trail }]] : [],
  );
  return {
    members: new Map(members),
    required: new Set(list(schema.required).filter((name): name is string => typeof name === "string")),
    combined: [],
    merged: list(schema.allOf).length === 0,
  };
}

/** A later property of the same name is more specific: it replaces the earlier one at its position. */
function take(into: ObjectMembers, from: ObjectMembers): void {
  for (const [name, member] of from.members) into.members.set(name, member);
  for (const name of from.required) into.required.add(name);
}
