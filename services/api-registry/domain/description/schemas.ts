import { getMember, isRecord, type JsonRecord, setMember } from "#libraries/json/json-value.ts";
import { addExactTexts } from "../text/exact-numbers.ts";

/**
 * Canonical references by name of `$dynamicAnchor`: that of the outermost schema through which the evaluation came
 * (JSON Schema 2020-12, 8.2.3.2).
 */
export type DynamicScope = ReadonlyMap<string, string>;

/** How schemas resolve their references. */
export interface SchemaReferences {
  readonly isSwagger: boolean;
  /** From 3.1 on, siblings of a `$ref` count. */
  readonly siblingsCount: boolean;
  /** Records a reference and returns its canonical form; a dangling one is returned unchanged. */
  dependOn(file: string, reference: string, dependencies: Set<number>, scope?: DynamicScope): string;
  /** The scope within this schema, which may add names of its own. */
  enter(schema: object, scope: DynamicScope | undefined): DynamicScope | undefined;
  /** The canonical reference that a schema's `$dynamicRef` has in this scope; undefined if it is an ordinary one. */
  findDynamic(schema: object, scope: DynamicScope | undefined): string | undefined;
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
  outer?: DynamicScope,
): unknown {
  if (!isRecord(value)) return typeof value === "boolean" ? value : {};
  const reference = getMember(value, "$ref");
  if (typeof reference === "string" && !components.siblingsCount) {
    const described: JsonRecord = { $ref: components.dependOn(file, reference, dependencies) };
    if (typeof value.description === "string") described.description = value.description;
    return described;
  }
  const scope = components.enter(value, outer);
  const described: JsonRecord = {};
  for (const key of Object.keys(value)) {
    if (identities.has(key)) continue;
    setMember(described, key, describeKeyword(key, value[key], file, components, dependencies, scope));
  }
  addExactTexts(described, value);
  const dynamic = getMember(value, "$dynamicRef");
  if (typeof dynamic === "string") {
    delete described.$dynamicRef;
    const found = components.findDynamic(value, scope);
    const $ref = components.dependOn(found === undefined ? file : "", found ?? dynamic, dependencies, scope);
    if (typeof reference !== "string") described.$ref = $ref;
    else described.allOf = [...(Array.isArray(described.allOf) ? described.allOf : []), { $ref }];
  }
  return components.isSwagger ? translateSwagger(described) : described;
}

function describeKeyword(
  key: string,
  value: unknown,
  file: string,
  components: SchemaReferences,
  dependencies: Set<number>,
  scope: DynamicScope | undefined,
): unknown {
  if (key === "$ref") return typeof value === "string" ? components.dependOn(file, value, dependencies, scope) : value;
  if (key === "discriminator") return describeDiscriminator(value, file, components, dependencies, scope);
  if (mapsOfSchemas.has(key) && isRecord(value)) {
    const described: JsonRecord = {};
    for (const name of Object.keys(value)) {
      setMember(described, name, describeSchema(value[name], file, components, dependencies, scope));
    }
    return described;
  }
  if (Array.isArray(value) && (listsOfSchemas.has(key) || key === "items")) {
    return value.map((item) => describeSchema(item, file, components, dependencies, scope));
  }
  if (singleSchemas.has(key) && (isRecord(value) || typeof value === "boolean")) {
    return describeSchema(value, file, components, dependencies, scope);
  }
  return value;
}

/** Values of a mapping are references, or bare names of schemas. */
function describeDiscriminator(
  value: unknown,
  file: string,
  components: SchemaReferences,
  dependencies: Set<number>,
  scope: DynamicScope | undefined,
): unknown {
  const mapping = getMember(value, "mapping");
  if (!isRecord(value) || !isRecord(mapping)) return value;
  const described: JsonRecord = {};
  for (const name of Object.keys(mapping)) {
    const target = mapping[name];
    if (typeof target !== "string") continue;
    const isName = /^[\w.-]+$/.test(target) && components.exists("", `#/components/schemas/${target}`);
    const reference = isName ? `#/components/schemas/${target}` : target;
    setMember(described, name, components.dependOn(isName ? "" : file, reference, dependencies, scope));
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
