import { getMember, isRecord, type JsonRecord, setMember } from "#libraries/json/json-value.ts";

/** How schemas resolve their references. */
export interface SchemaReferences {
  readonly isSwagger: boolean;
  /** From 3.1 on, siblings of a `$ref` count. */
  readonly siblingsCount: boolean;
  /** Records a reference and returns its canonical form; a dangling one is returned unchanged. */
  dependOn(file: string, reference: string, dependencies: Set<number>): string;
  exists(file: string, reference: string): boolean;
}

/** Locations of subschemas inside a schema; everything else is copied unchanged. */
export const mapsOfSchemas = new Set(["properties", "patternProperties", "definitions", "$defs", "dependentSchemas"]);
export const listsOfSchemas = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
export const singleSchemas = new Set([
  "items",
  "additionalProperties",
  "additionalItems",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
  "unevaluatedProperties",
  "unevaluatedItems",
  "contentSchema",
]);

/** Keywords that would give a schema its own identity: components are referenced by pointers only. */
const identities = new Set(["$id", "$anchor", "$dynamicAnchor", "$schema"]);

/**
 * A schema of the document with its references rewritten to the canonical form of `components`, 2.0's keywords
 * translated, and its targets added to `dependencies`. Up to 3.0 a `$ref` has no siblings except its description.
 */
export function describeSchema(
  value: unknown,
  file: string,
  components: SchemaReferences,
  dependencies: Set<number>,
): unknown {
  if (!isRecord(value)) return typeof value === "boolean" ? value : {};
  const reference = getMember(value, "$ref");
  if (typeof reference === "string" && !components.siblingsCount) {
    const described: JsonRecord = { $ref: components.dependOn(file, reference, dependencies) };
    if (typeof value.description === "string") described.description = value.description;
    return described;
  }
  const described: JsonRecord = {};
  for (const key of Object.keys(value)) {
    if (identities.has(key)) continue;
    setMember(described, key, describeKeyword(key, value[key], file, components, dependencies));
  }
  const dynamic = getMember(value, "$dynamicRef");
  if (typeof dynamic === "string" && typeof reference !== "string") {
    delete described.$dynamicRef;
    described.$ref = components.dependOn(file, dynamic, dependencies);
  }
  return components.isSwagger ? translateSwagger(described) : described;
}

function describeKeyword(
  key: string,
  value: unknown,
  file: string,
  components: SchemaReferences,
  dependencies: Set<number>,
): unknown {
  if (key === "$ref") return typeof value === "string" ? components.dependOn(file, value, dependencies) : value;
  if (key === "discriminator") return describeDiscriminator(value, file, components, dependencies);
  if (mapsOfSchemas.has(key) && isRecord(value)) {
    const described: JsonRecord = {};
    for (const name of Object.keys(value)) {
      setMember(described, name, describeSchema(value[name], file, components, dependencies));
    }
    return described;
  }
  if (Array.isArray(value) && (listsOfSchemas.has(key) || key === "items")) {
    return value.map((item) => describeSchema(item, file, components, dependencies));
  }
  if (singleSchemas.has(key) && (isRecord(value) || typeof value === "boolean")) {
    return describeSchema(value, file, components, dependencies);
  }
  return value;
}

/** Values of a mapping are references, or bare names of schemas. */
function describeDiscriminator(
  value: unknown,
  file: string,
  components: SchemaReferences,
  dependencies: Set<number>,
): unknown {
  const mapping = getMember(value, "mapping");
  if (!isRecord(value) || !isRecord(mapping)) return value;
  const described: JsonRecord = {};
  for (const name of Object.keys(mapping)) {
    const target = mapping[name];
    if (typeof target !== "string") continue;
    const isName = /^[\w.-]+$/.test(target) && components.exists("", `#/components/schemas/${target}`);
    const reference = isName ? `#/components/schemas/${target}` : target;
    setMember(described, name, components.dependOn(isName ? "" : file, reference, dependencies));
  }
  return { ...value, mapping: described };
}

/** 2.0's `type: file`, string discriminators and the widely supported `x-nullable`, in the terms of 3.0. */
function translateSwagger(schema: JsonRecord): JsonRecord {
  if (schema.type === "file") {
    schema.type = "string";
    schema.format = "binary";
  }
  if (typeof schema.discriminator === "string") schema.discriminator = { propertyName: schema.discriminator };
  if (schema["x-nullable"] === true) schema.nullable = true;
  return schema;
}
