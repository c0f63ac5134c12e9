import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import Ajv04Module from "ajv-draft-04";
import addFormatsModule from "ajv-formats";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";

const Ajv04 = Ajv04Module as unknown as typeof Ajv2020;
const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;

/**
 * A schema of a document for ajv alone, independent of what the product judges by.
 * @param hidden keyword of members that are omitted and may be missing: `readOnly` in requests
 */
export function compileDocumented(
  schema: unknown,
  components: OperationWithComponents["components"],
  { isModern, hidden, allErrors = false }: { isModern: boolean; hidden: string; allErrors?: boolean },
): ValidateFunction {
  const ajv = new (isModern ? Ajv2020 : Ajv04)({
    ...{ strict: false, logger: false, unicodeRegExp: false, inlineRefs: false, allErrors },
    code: { optimize: false },
  });
  addFormats(ajv);
  return ajv.compile(withoutDirection(inlined(schema, components), hidden) as object);
}

/** Components for ajv: references into one root. */
function inlined(value: unknown, components: OperationWithComponents["components"]): unknown {
  const references = Object.keys(components);
  const rewrite = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(rewrite);
    if (typeof node !== "object" || node === null) return node;
    const entries = Object.entries(node).flatMap(([key, member]): [string, unknown][] => {
      if (key === "$ref") return [[key, `#/definitions/c${references.indexOf(String(member))}`]];
      if (key === "example" || key === "examples" || key === "discriminator" || key === "xml") return [];
      // Overlapping alternatives are the document's fault; a sample can only match one of them.
      return [[key === "oneOf" ? "anyOf" : key, rewrite(member)]];
    });
    const schema = Object.fromEntries(entries) as Record<string, unknown>;
    if (schema.nullable === true && typeof schema.type === "string") schema.type = [schema.type, "null"];
    if (schema.pattern === "") delete schema.pattern;
    if (Array.isArray(schema.enum) && schema.enum.length === 0) delete schema.enum;
    return schema;
  };
  const definitions = Object.fromEntries(
    references.map((reference, index) => [`c${index}`, rewrite(components[reference])]),
  );
  return { allOf: [rewrite(value)], definitions };
}

/** Read-only members are omitted from requests and may be missing. */
function withoutDirection(value: unknown, hidden: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutDirection(item, hidden));
  if (typeof value !== "object" || value === null) return value;
  const record = value as Record<string, unknown>;
  const properties = record.properties as Record<string, Record<string, unknown>> | undefined;
  const dropped =
    properties && typeof properties === "object"
      ? Object.keys(properties).filter((name) => properties[name]?.[hidden] === true)
      : [];
  const copy = Object.fromEntries(
    Object.entries(record).map(([key, member]) => [key, withoutDirection(member, hidden)]),
  );
  if (Array.isArray(copy.required)) copy.required = copy.required.filter((name) => !dropped.includes(String(name)));
  if (Array.isArray(copy.required) && copy.required.length === 0) delete copy.required;
  return copy;
}
