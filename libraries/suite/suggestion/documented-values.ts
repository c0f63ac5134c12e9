import { getMember, isRecord } from "#libraries/json/json-value.ts";
import type { InventedValue, SampleSource } from "#libraries/openapi/sample/sampler.ts";
import { flattenSchema } from "#libraries/openapi/schema-parts.ts";
import type { BodyMember } from "./unique-texts.ts";

const maxDepth = 6;
const maxValues = 500;

/** The texts and numbers of a body that the document gives, with their schemas; without constants and enumerations. */
export function listDocumentedValues(
  value: unknown,
  schema: unknown,
  invented: readonly InventedValue[],
  source: SampleSource,
): BodyMember[] {
  const known = new Set(invented.map(({ path }) => path.join("/")));
  const found: BodyMember[] = [];
  const visit = (part: unknown, raw: unknown, path: InventedValue["path"]) => {
    if (path.length > maxDepth || found.length >= maxValues) return;
    const flat = flattenSchema(raw, source) ?? {};
    if (Array.isArray(part)) {
      for (const [index, item] of part.entries()) visit(item, flat.items, [...path, index]);
    } else if (isRecord(part)) {
      for (const [name, member] of Object.entries(part)) {
        visit(member, getMember(flat.properties, name), [...path, name]);
      }
    } else if ((typeof part === "string" || typeof part === "number") && !known.has(path.join("/"))) {
      if (flat.const !== undefined || flat.enum !== undefined) return;
      const type = typeof part === "string" ? "string" : "number";
      found.push({ path, schema: flat.type === undefined ? { ...flat, type } : flat, isMissing: false, example: part });
    }
  };
  visit(value, schema, []);
  return found;
}
