import type { SchemaObject } from "#contracts/api-registry/operations.ts";

export type SchemaRecord = Record<string, unknown>;
export type Components = Record<string, SchemaObject>;

/** A schema found by following `$ref`s. */
export interface ResolvedSchema {
  schema: SchemaRecord | boolean;
  location: string;
  componentName?: string;
  /** Components on the path from the root, this one included. */
  trail: readonly string[];
  /** The schema is on its own path: unfolding it would never end. */
  recursive: boolean;
}

export function isRecord(value: unknown): value is SchemaRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isSchema(value: unknown): value is SchemaObject {
  return typeof value === "boolean" || isRecord(value);
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Steps of a JSON pointer joined to one (RFC 6901). */
export function join(place: string, ...steps: (string | number)[]): string {
  return steps.reduce<string>(
    (path, step) => `${path}/${String(step).replace(/~/g, "~0").replace(/\//g, "~1")}`,
    place,
  );
}

/** `#/components/schemas/Pet` → `Pet`. */
export function toComponentName(reference: string): string {
  const last = reference.slice(reference.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(last).replace(/~1/g, "/").replace(/~0/g, "~");
  } catch {
    return last;
  }
}

const annotations = new Set([
  "$ref",
  "description",
  "summary",
  "title",
  "deprecated",
  "example",
  "examples",
  "default",
]);
const onlyAnnotates = (key: string) => annotations.has(key) || key === "readOnly" || key === "writeOnly";

/** Follows references to their targets; keywords next to a `$ref` (3.1) replace those of the component. */
export function resolveSchema(
  schema: SchemaObject,
  place: string,
  components: Components,
  trail: readonly string[] = [],
): ResolvedSchema {
  let current: unknown = schema;
  let found = place;
  let followed = trail;
  let componentName: string | undefined;
  let beside: SchemaRecord = {};
  while (isRecord(current) && typeof current.$ref === "string") {
    const reference = current.$ref;
    const { $ref: _, ...siblings } = current;
    if (!Object.keys(current).every(onlyAnnotates)) {
      return {
        schema: { ...siblings, allOf: [{ $ref: reference }, ...list(siblings.allOf)] },
        location: found,
        trail: followed,
        recursive: false,
      };
    }
    beside = { ...siblings, ...beside };
    componentName = toComponentName(reference);
    if (followed.includes(reference)) {
      const target = components[reference];
      const annotated = isRecord(target) ? { ...target, ...beside } : (target ?? true);
      return {
        schema: annotated,
        location: join("/components", reference),
        componentName,
        trail: followed,
        recursive: true,
      };
    }
    followed = [...followed, reference];
    found = join("/components", reference);
    current = Object.hasOwn(components, reference) ? components[reference] : undefined;
  }
  const resolved = isRecord(current) ? { ...current, ...beside } : isSchema(current) ? current : {};
  return { schema: resolved, location: found, componentName, trail: followed, recursive: false };
}
