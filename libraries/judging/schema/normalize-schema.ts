import type { SchemaObject } from "#contracts/api-registry/operations.ts";
import { isJsonNumber } from "../../json/compare-json.ts";
import { compareNumbers, ExactNumber } from "../../json/exact-number.ts";
import type { Json } from "../../json/json.ts";
import { withExactNumbers } from "../../openapi/exact-schema.ts";
import type { Alternatives } from "./component-references.ts";

type Keywords = Record<string, unknown>;

/**
 * Converts the schemas of one document to JSON Schema 2020-12. `old` is the dialect of OpenAPI 2.0 and 3.0 (draft-04
 * with changes), `new` that of 3.1 and later.
 */
export interface Normalization {
  dialect: "old" | "new";
  /** The URI for a `$ref`; undefined leaves it as it is. `inherits`: the reference is inside an allOf. */
  resolve(reference: string, inherits: boolean): string | undefined;
  /** Whether the schema marks a value as never sent in responses; follows references. */
  isWriteOnly(schema: unknown): boolean;
  /** The alternatives that the values of a discriminator select, as references. */
  findAlternatives(schema: unknown): Alternatives | undefined;
  /** Records the location in the document of a normalized schema. */
  place(normalized: object, pointer: string): void;
}

/** A keyword of the validator alone: the value must not be in a response. */
export const neverInResponses = "x-never-in-responses";

const typeNames = new Set(["null", "boolean", "number", "integer", "string", "array", "object"]);
const oldKeywords = new Set([
  ...["type", "enum", "format", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum"],
  ...["exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems", "items", "properties", "required"],
  ...["additionalProperties", "minProperties", "maxProperties", "allOf", "oneOf", "anyOf", "not", "discriminator"],
]);
const one = new Set([
  ...["additionalProperties", "items", "not", "if", "then", "else", "contains", "propertyNames"],
  ...["unevaluatedProperties", "unevaluatedItems"],
]);
const several = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const named = new Set(["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"]);
const numbers = new Set([
  ...["minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "minProperties", "maxProperties"],
  ...["minContains", "maxContains"],
]);
/** Keywords that compare numbers exactly, so that they take exact ones. */
const exactKeywords = new Set(["minimum", "maximum", "multipleOf", "const"]);
/** Without effect on values. ajv refuses `id`, and it would apply `nullable`, which has no meaning from 3.1 on. */
const dropped = new Set([
  ...["id", "$schema", "$vocabulary", "$comment", "example", "examples", "default", "nullable"],
]);
const maximumDepth = 200;

function isObject(value: unknown): value is Keywords {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function escapeStep(name: string): string {
  return name.replace(/~/g, "~0").replace(/\//g, "~1");
}

function normalizeTypes(schema: Keywords): string[] | undefined {
  const types = [schema.type].flat().filter((type): type is string => typeNames.has(type as string));
  return types.length > 0 ? types : undefined;
}

/** Draft-04 has a flag that modifies the bound; later drafts have a separate bound. */
function applyBounds(target: Keywords, schema: Keywords): void {
  for (const [bound, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    if (isJsonNumber(schema[exclusive] as Json)) target[exclusive] = schema[exclusive];
    else if (schema[exclusive] === true && isJsonNumber(schema[bound] as Json)) {
      target[exclusive] = schema[bound];
      delete target[bound];
    }
  }
}

/** Members that only requests have are not required in a response. */
function requiredInAnswers(schema: Keywords, rules: Normalization): string[] | undefined {
  if (!Array.isArray(schema.required)) return undefined;
  const properties = isObject(schema.properties) ? schema.properties : {};
  const names = schema.required.filter((name): name is string => typeof name === "string");
  return names.filter((name) => !Object.hasOwn(properties, name) || !rules.isWriteOnly(properties[name]));
}

/** `nullable` allows null whatever else the schema says, including allOf or enum: that is its purpose. */
function allowNull(target: Keywords): Keywords {
  if (!target.type) return { anyOf: [target, { type: "null" }] };
  const types = [target.type].flat();
  const changed: Keywords = { ...target, type: [...types, "null"] };
  if (Array.isArray(target.enum) && !target.enum.includes(null)) changed.enum = [...target.enum, null];
  return changed;
}

/**
 * The member's value selects the alternative that judges, whatever others would match; a value that selects none is an
 * error. Without the member the alternatives are judged as written.
 */
function applyDiscriminator(
  target: Keywords,
  { propertyName, targets, otherwise }: Alternatives,
  pointer: string,
  rules: Normalization,
): void {
  const { oneOf, anyOf } = target;
  delete target.oneOf;
  if (oneOf === undefined) delete target.anyOf;
  const has = (rule: Keywords) => ({ type: "object", properties: { [propertyName]: rule }, required: [propertyName] });
  const known = { properties: { [propertyName]: { enum: [...targets.keys()] } } };
  rules.place(known.properties[propertyName]!, `${pointer}/discriminator`);
  const selected = [...targets].map(([value, reference]) => ({
    if: has({ const: value }),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { $ref: rules.resolve(reference, false) ?? reference },
  }));
  const unknown =
    otherwise === undefined ? known : { if: known, else: { $ref: rules.resolve(otherwise, false) ?? otherwise } };
  const asWritten = oneOf === undefined ? { anyOf } : { oneOf };
  const rule = {
    if: has({ type: "string" }),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { allOf: [unknown, ...selected] },
    else: asWritten,
  };
  rules.place(asWritten, pointer);
  target.allOf = [...(Array.isArray(target.allOf) ? target.allOf : []), rule];
}

function copySubschemas(target: Keywords, schema: Keywords, pointer: string, rules: Normalization, depth: number) {
  for (const [keyword, value] of Object.entries(schema)) {
    if (!Object.hasOwn(target, keyword)) continue;
    const at = `${pointer}/${escapeStep(keyword)}`;
    if (one.has(keyword)) {
      if (isObject(value) || typeof value === "boolean") target[keyword] = normalize(value, at, rules, depth + 1);
      else delete target[keyword];
    } else if (several.has(keyword)) {
      if (Array.isArray(value) && value.length > 0) {
        const inherits = keyword === "allOf";
        target[keyword] = value.map((item, index) => normalize(item, `${at}/${index}`, rules, depth + 1, inherits));
      } else delete target[keyword];
    } else if (named.has(keyword)) {
      const entries = Object.entries(isObject(value) ? value : {});
      const members = entries.map(([name, item]) => {
        const place = `${at}/${escapeStep(name)}`;
        if (keyword !== "properties" || !rules.isWriteOnly(item))
          return [name, normalize(item, place, rules, depth + 1)];
        const never = { [neverInResponses]: true };
        rules.place(never, place);
        return [name, never];
      });
      target[keyword] = Object.fromEntries(members);
    }
  }
}

function copyKeywords(schema: Keywords, pointer: string, rules: Normalization, depth: number): Keywords {
  const target: Keywords = {};
  for (const [keyword, value] of Object.entries(schema)) {
    const known =
      rules.dialect === "old" ? oldKeywords.has(keyword) : !dropped.has(keyword) && !keyword.startsWith("x-");
    if (!known || (numbers.has(keyword) && !isJsonNumber(value as Json))) continue;
    target[keyword] = value instanceof ExactNumber && !exactKeywords.has(keyword) ? Number(value.text) : value;
  }
  for (const keyword of ["type", "required", "exclusiveMinimum", "exclusiveMaximum"]) delete target[keyword];
  const types = normalizeTypes(schema);
  if (types) target.type = types.length === 1 ? types[0] : types;
  const required = requiredInAnswers(schema, rules);
  if (required && required.length > 0) target.required = required;
  applyBounds(target, schema);
  if (target.enum !== undefined && (!Array.isArray(target.enum) || target.enum.length === 0)) delete target.enum;
  if (target.pattern !== undefined && typeof target.pattern !== "string") delete target.pattern;
  if (target.format !== undefined && typeof target.format !== "string") delete target.format;
  if (target.uniqueItems !== undefined && typeof target.uniqueItems !== "boolean") delete target.uniqueItems;
  const multipleOf = target.multipleOf as Json;
  if (!isJsonNumber(multipleOf) || compareNumbers(multipleOf, 0) <= 0) delete target.multipleOf;
  if (Array.isArray(schema.items)) {
    target.prefixItems = schema.items.map((item, index) =>
      normalize(item, `${pointer}/items/${index}`, rules, depth + 1),
    );
    delete target.items;
  }
  copySubschemas(target, schema, pointer, rules, depth);
  return target;
}

function normalize(
  given: unknown,
  pointer: string,
  rules: Normalization,
  depth: number,
  inherits = false,
): Keywords | boolean {
  if (typeof given === "boolean") return given;
  // An invalid schema, or one nested too deeply, restricts nothing.
  if (!isObject(given) || depth > maximumDepth) return true;
  const schema = withExactNumbers(given);
  const reference = typeof schema.$ref === "string" ? schema.$ref : undefined;
  if (reference !== undefined && rules.dialect === "old") {
    const target = { $ref: rules.resolve(reference, inherits) ?? reference };
    rules.place(target, pointer);
    return target;
  }
  const copied = copyKeywords(schema, pointer, rules, depth);
  const alternatives = rules.findAlternatives(schema);
  if (alternatives) applyDiscriminator(copied, alternatives, pointer, rules);
  if (reference !== undefined) copied.$ref = rules.resolve(reference, inherits) ?? reference;
  rules.place(copied, pointer);
  const nullable = schema.nullable === true || (rules.dialect === "old" && schema["x-nullable"] === true);
  if (!nullable || rules.dialect === "new") return copied;
  const widened = allowNull(copied);
  rules.place(widened, pointer);
  return widened;
}

/**
 * Converts a schema of the document to JSON Schema 2020-12 for judging responses. Copies the schema, but not the
 * schemas that it refers to.
 */
export function normalizeSchema(schema: SchemaObject, pointer: string, rules: Normalization): Keywords | boolean {
  return normalize(schema, pointer, rules, 0);
}
