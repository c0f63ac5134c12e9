import { getMember, isRecord, type JsonRecord, toList, toRecord } from "../json/json-value.ts";
import { mergeSchemas } from "./sample/merge-schemas.ts";
import type { SampleSource } from "./sample/sample-source.ts";

/**
 * The schemas, what they refer to, and the parts of their `allOf`, if asked for with those of `oneOf` and `anyOf`; each
 * component once.
 */
export function listSchemaParts(
  schemas: readonly unknown[],
  source: SampleSource,
  { alternatives = false } = {},
): JsonRecord[] {
  const seen = new Set<JsonRecord>();
  const waiting = [...schemas];
  while (waiting.length > 0 && seen.size < 200) {
    const schema = waiting.pop();
    if (!isRecord(schema) || seen.has(schema)) continue;
    seen.add(schema);
    waiting.push(...toList(schema.allOf));
    if (alternatives) waiting.push(...toList(schema.oneOf), ...toList(schema.anyOf));
    if (typeof schema.$ref === "string") waiting.push(source.find(schema.$ref));
  }
  return [...seen];
}

/** One schema that says what a schema, its references and its `allOf` say; undefined where they contradict each other. */
export function flattenSchema(schema: unknown, source: SampleSource): JsonRecord | undefined {
  let flat: JsonRecord | undefined = {};
  for (const { $ref: _reference, allOf: _parts, ...own } of listSchemaParts([schema], source)) {
    flat = flat && (mergeSchemas(own, flat) ?? undefined);
  }
  return flat;
}

/** The documented members of an object, each flattened. */
export function listObjectMembers(schema: unknown, source: SampleSource): Map<string, JsonRecord> {
  const members = new Map<string, JsonRecord>();
  const flat = flattenSchema(schema, source);
  for (const [name, member] of Object.entries(toRecord(getMember(flat, "properties")))) {
    const own = flattenSchema(member, source);
    if (own) members.set(name, own);
  }
  return members;
}
