import type { JsonRecord } from "#libraries/json/json-value.ts";
import type { SampleSource } from "#libraries/openapi/sample/sampler.ts";
import { getSchemaType } from "#libraries/openapi/sample/schema-type.ts";
import { type BrokenValue, listBrokenValues } from "./broken-values.ts";
import { breaksOnly } from "./plain-schema.ts";

export interface BrokenText {
  broken: BrokenValue;
  value: unknown;
  text: string;
}

/**
 * Values of a scalar that break one keyword each and can be written as text, the best for each rule; where all is text,
 * a number is no wrong value of a string.
 * @returns none for a schema of another type
 */
export function listBrokenTexts(
  schema: JsonRecord,
  source: SampleSource,
  isSendable: (text: string) => boolean,
): BrokenText[] {
  const type = getSchemaType(schema);
  if (type === undefined || !["string", "integer", "number", "boolean"].includes(type)) return [];
  const found = new Map<string, BrokenText>();
  // What has no text of its own, such as null, can't be sent.
  for (const broken of listBrokenValues({ ...schema, nullable: true })) {
    if (found.has(broken.rule)) continue;
    const value = broken.change(undefined);
    const text = toText(value, type);
    if (text === undefined || !isSendable(text) || !breaksOnly(value, broken.keyword, schema, source)) continue;
    found.set(broken.rule, { broken, value, text });
  }
  return [...found.values()];
}

/** Undefined for a value that would be read as one of the documented type. */
function toText(value: unknown, type: string): string | undefined {
  if (typeof value === "object" || value === undefined) return undefined;
  if (type === "string" && typeof value !== "string") return undefined;
  if (type !== "string" && typeof value === "boolean") return undefined;
  return String(value);
}
