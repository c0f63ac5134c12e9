import { type JsonRecord, toList } from "#libraries/json/json-value.ts";
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
 * @param valid from which those of another length are made
 * @returns none for a schema of another type
 */
export function listBrokenTexts(
  schema: JsonRecord,
  source: SampleSource,
  isSendable: (text: string) => boolean,
  valid?: unknown,
): BrokenText[] {
  const type = getSchemaType(schema) ?? getListedType(schema);
  if (type === undefined || !["string", "integer", "number", "boolean"].includes(type)) return [];
  const found = new Map<string, BrokenText>();
  // What has no text of its own, such as null, can't be sent.
  for (const broken of listBrokenValues({ ...schema, nullable: true })) {
    if (found.has(broken.rule)) continue;
    const value = broken.change(valid);
    const text = toText(value, type);
    if (text === undefined || !isSendable(text) || !breaksOnly(value, broken.keyword, schema, source)) continue;
    found.set(broken.rule, { broken, value, text });
  }
  return [...found.values()];
}

/** The type of what may be sent, where the schema names only its values. */
function getListedType({ enum: listed, const: only }: JsonRecord): string | undefined {
  const values = listed === undefined ? [only] : toList(listed);
  return ["string", "number"].find((type) => values.every((one) => typeof one === type));
}

/** Undefined for a value that would be read as one of the documented type. */
function toText(value: unknown, type: string): string | undefined {
  if (typeof value === "object" || value === undefined) return undefined;
  if (type === "string" && typeof value !== "string") return undefined;
  if (type !== "string" && typeof value === "boolean") return undefined;
  return String(value);
}
