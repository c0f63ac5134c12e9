import { createHash } from "node:crypto";
import type { z } from "zod";
import type { JsonRecord } from "#libraries/json/json-value.ts";

/** What a schema is, as far as defaults need. */
interface Definition {
  type: string;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  valueType?: z.ZodType;
  innerType?: z.ZodType;
  in?: z.ZodType;
  options?: z.ZodType[];
  discriminator?: string;
  defaultValue?: unknown;
  values?: unknown[];
}

const definitionOf = (schema: z.ZodType) => schema.def as unknown as Definition;

/** The text of a JSON value that is the same for equal values, whatever the order of their members. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== "object" || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/** Identifies a value without its defaults. */
export function hashOfValue(written: unknown): string {
  return createHash("sha256").update(canonicalText(written)).digest("base64url").slice(0, 32);
}

function findOption({ options = [], discriminator }: Definition, value: unknown): z.ZodType | undefined {
  if (!discriminator) return options.find((option) => option.safeParse(value).success);
  const given = (value as JsonRecord)[discriminator];
  return options.find((option) => {
    const literal = definitionOf(option).shape?.[discriminator];
    return literal && definitionOf(literal).values?.includes(given);
  });
}

/** The canonical text of a member's default; undefined without one. */
const defaults = new WeakMap<z.ZodType, string>();

function isDefault(schema: z.ZodType, written: unknown): boolean {
  const { type, innerType, defaultValue } = definitionOf(schema);
  if (type !== "default" || !innerType) return false;
  let known = defaults.get(schema);
  if (known === undefined) {
    known = canonicalText(withoutDefaults(innerType, innerType.parse(defaultValue)));
    defaults.set(schema, known);
  }
  return canonicalText(written) === known;
}

function writeMembers(shape: Record<string, z.ZodType>, value: JsonRecord): JsonRecord {
  const written: JsonRecord = {};
  for (const [name, member] of Object.entries(shape)) {
    const given = value[name];
    if (given === undefined) continue;
    const own = withoutDefaults(member, given);
    if (!isDefault(member, own)) written[name] = own;
  }
  return written;
}

/** A parsed value without members that have their schema's default, so that parsing it returns the value. */
export function withoutDefaults(schema: z.ZodType, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const definition = definitionOf(schema);
  const { type, shape, element, valueType, innerType } = definition;
  if (type === "object" && shape) return writeMembers(shape, value as JsonRecord);
  if (type === "array" && element) return (value as unknown[]).map((item) => withoutDefaults(element, item));
  if (type === "record" && valueType)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutDefaults(valueType, item)]));
  if (type === "union") {
    const option = findOption(definition, value);
    return option ? withoutDefaults(option, value) : value;
  }
  const inner = type === "pipe" ? definition.in : innerType;
  return inner ? withoutDefaults(inner, value) : value;
}
