import type { SchemaObject } from "#contracts/api-registry/operations.ts";
import { isHiddenIn } from "../../openapi/sample/sample-source.ts";

type Keywords = Record<string, unknown>;
type Components = Record<string, SchemaObject>;

function keywordsOf(schema: unknown): Keywords {
  return typeof schema === "object" && schema !== null ? (schema as Keywords) : {};
}

function lastSegment(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf("/") + 1);
}

/** The component that a reference names, or the one that it points into with the remaining path. */
export function findComponent(components: Components, reference: string): { key: string; rest: string } | undefined {
  if (Object.hasOwn(components, reference)) return { key: reference, rest: "" };
  for (let end = reference.lastIndexOf("/"); end > 1; end = reference.lastIndexOf("/", end - 1)) {
    const key = reference.slice(0, end);
    if (Object.hasOwn(components, key)) return { key, rest: reference.slice(end) };
  }
  return undefined;
}

/** Whether a schema, a component that it refers to, or a part of `allOf` is marked as never sent in responses. */
export function isWriteOnly(components: Components, schema: unknown): boolean {
  return isHiddenIn("response", schema, { find: (reference) => components[reference] });
}

function parentsOf(schema: SchemaObject): string[] {
  const { allOf } = keywordsOf(schema);
  return Array.isArray(allOf) ? allOf.flatMap((part) => keywordsOf(part).$ref ?? []).filter(isText) : [];
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Components that extend the base through allOf, directly or indirectly. */
function heirsOf(components: Components, base: string): string[] {
  const heirs = new Set([base]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const [key, schema] of Object.entries(components)) {
      if (!heirs.has(key) && parentsOf(schema).some((parent) => heirs.has(parent))) {
        heirs.add(key);
        grown = true;
      }
    }
  }
  heirs.delete(base);
  return [...heirs];
}

/** How the value of one member selects an heir of a base schema. */
export interface Dispatch {
  propertyName: string;
  /** Component keys by value of the member. */
  targets: Map<string, string>;
}

/**
 * The heirs of a base schema with a discriminator. Undefined without a discriminator, or when the schema itself lists
 * its alternatives: those are judged as written.
 */
export function findDispatch(components: Components, key: string): Dispatch | undefined {
  const { discriminator, oneOf, anyOf } = keywordsOf(components[key]);
  if (discriminator === undefined || oneOf || anyOf) return undefined;
  // 2.0 has only the member's name.
  const propertyName = isText(discriminator) ? discriminator : keywordsOf(discriminator).propertyName;
  if (!isText(propertyName)) return undefined;
  const targets = new Map(heirsOf(components, key).map((heir) => [lastSegment(heir), heir]));
  for (const [value, mapped] of Object.entries(keywordsOf(keywordsOf(discriminator).mapping))) {
    if (!isText(mapped)) continue;
    const target = mapped.includes("/") ? mapped : key.slice(0, key.lastIndexOf("/") + 1) + mapped;
    if (Object.hasOwn(components, target) && target !== key) targets.set(value, target);
  }
  return targets.size > 0 ? { propertyName, targets } : undefined;
}

/** How the value of one member selects an alternative of `oneOf` or `anyOf`. */
export interface Alternatives {
  propertyName: string;
  /** References by value of the member. */
  targets: Map<string, string>;
  /** 3.2: the schema for values that select none. */
  otherwise?: string;
}

/**
 * The listed alternatives of a schema with a discriminator, by their names and by its mapping. Undefined when one of
 * them has no name: those are judged as written.
 */
export function findAlternatives(schema: unknown): Alternatives | undefined {
  const { discriminator, oneOf, anyOf } = keywordsOf(schema);
  const { propertyName, mapping, defaultMapping } = keywordsOf(discriminator);
  const listed = Array.isArray(oneOf) ? oneOf : anyOf;
  if (!isText(propertyName) || !Array.isArray(listed) || listed.length === 0) return undefined;
  const objects = listed.filter((alternative) => keywordsOf(alternative).type !== "null");
  const references = objects.map((alternative) => keywordsOf(alternative).$ref).filter(isText);
  if (references.length < objects.length || references.length === 0) return undefined;
  const find = (mapped: string) =>
    references.find(
      (reference) => reference === mapped || (!mapped.includes("/") && lastSegment(reference) === mapped),
    );
  const targets = new Map(references.map((reference) => [lastSegment(reference), reference]));
  for (const [value, mapped] of Object.entries(keywordsOf(mapping))) {
    const target = isText(mapped) ? find(mapped) : undefined;
    if (target !== undefined) targets.set(value, target);
  }
  const otherwise = isText(defaultMapping) ? find(defaultMapping) : undefined;
  return { propertyName, targets, ...(otherwise === undefined ? {} : { otherwise }) };
}
