import type { RequestBody } from "#contracts/test-registry/requests.ts";
import { toTexts } from "#libraries/json/json-value.ts";
import type { SampleSource } from "#libraries/openapi/sample/sampler.ts";
import { flattenSchema, listObjectMembers } from "#libraries/openapi/schema-parts.ts";
import type { BrokenRule } from "./broken-rule.ts";
import { listBrokenTexts } from "./broken-texts.ts";
import { readPlainSchema } from "./plain-schema.ts";

const longestText = 10_000;

/** The rules of a form's fields that a request can break one by one: what is missing, and what is wrong as text. */
export function listBrokenFields(schema: unknown, body: RequestBody, source: SampleSource): BrokenRule[] {
  const fields = body.kind === "form" ? body.fields : body.kind === "multipart" ? body.parts : [];
  const names = new Set(fields.map(({ name }) => name));
  const flat = flattenSchema(schema, source);
  const required = new Set(toTexts(flat?.required));
  return [...listObjectMembers(flat, source)].flatMap(([name, member]): BrokenRule[] => {
    if (!names.has(name) || member.readOnly === true) return [];
    const rule = { in: "field" as const, parameter: name, path: [] };
    const isRequired = required.has(name);
    const missing = { ...rule, name: `${name} is missing`, keyword: "required", text: undefined, rank: 0 };
    const plain = isText(fields, name) ? readPlainSchema(member, source) : undefined;
    const wrong = plain ? listBrokenTexts(plain, source, (text) => text.length <= longestText) : [];
    return [
      ...(isRequired ? [missing] : []),
      ...wrong.map(({ broken: { words, keyword, rank }, text }) => ({
        ...{ ...rule, name: `${name} ${words}`, keyword, text, rank: rank + (isRequired ? 0.5 : 1) },
      })),
    ];
  });
}

/** A file, or a part of its own media type, is no text. */
function isText(fields: readonly object[], name: string): boolean {
  const own = fields.filter((field) => "name" in field && field.name === name);
  return own.every((field) => !("file" in field && field.file) && !("mediaType" in field && field.mediaType));
}
