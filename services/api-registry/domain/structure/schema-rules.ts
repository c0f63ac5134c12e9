import { getMember, isRecord, type JsonRecord, toList } from "#libraries/json/json-value.ts";
import { listsOfSchemas, mapsOfSchemas, singleSchemas } from "../description/schemas.ts";
import { type DocumentLocation, quoted } from "../diagnostics.ts";
import { childPointer } from "../references/pointer.ts";
import { validatePattern } from "./pattern-rules.ts";
import { validateRequired } from "./required-rules.ts";
import type { Walk } from "./rule.ts";
import { validateSchemaWords } from "./schema-words.ts";
import { describeKind, enumerate } from "./wording.ts";

const types = ["array", "boolean", "integer", "null", "number", "object", "string"];
const olderTypes = types.filter((type) => type !== "null");
/** Types that are often written by analogy with a programming language. */
const likelyTypes: Record<string, string> = {
  int: '"integer"',
  long: '"integer" with format: "int64"',
  float: '"number" with format: "float"',
  double: '"number" with format: "double"',
  decimal: '"number"',
  bool: '"boolean"',
  str: '"string"',
  text: '"string"',
  date: '"string" with format: "date"',
  datetime: '"string" with format: "date-time"',
  "date-time": '"string" with format: "date-time"',
  uuid: '"string" with format: "uuid"',
  file: '"string" with format: "binary"',
  list: '"array"',
  map: '"object" with "additionalProperties"',
  any: 'nothing: without "type" every value is allowed',
};

const wholeNumbers = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];
const bounds: [low: string, high: string][] = [
  ["minimum", "maximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
];
const truths = ["nullable", "readOnly", "writeOnly", "deprecated", "uniqueItems"];
/** One schema and those inside it, in the dialect of the document's version. */
export function validateSchema(value: unknown, location: DocumentLocation, walk: Walk): void {
  const { diagnostics, version } = walk;
  const isModern = version === "3.1" || version === "3.2";
  if (!isRecord(value)) {
    if (isModern && typeof value === "boolean") return;
    diagnostics.error(
      location,
      `A schema has to be an object${isModern ? ", true or false" : ""}, and is ${describeKind(value)}.`,
    );
    return;
  }
  for (const keyword of isModern ? ["$ref", "$dynamicRef"] : ["$ref"]) {
    const reference = getMember(value, keyword);
    if (reference === undefined) continue;
    const at = { file: location.file, pointer: childPointer(location.pointer, keyword) };
    if (typeof reference === "string") walk.noteReference(reference, { is: "schema" }, at);
    else
      diagnostics.error(
        at,
        `"${keyword}" has to be a text like "#/components/schemas/Pet", and is ${describeKind(reference)}.`,
      );
    if (!isModern) return;
  }
  validateType(value, location, walk, isModern);
  validateWords(value, location, walk, isModern);
  validateSubschemas(value, location, walk, isModern);
}

function validateType(
  value: JsonRecord,
  location: DocumentLocation,
  { diagnostics, version }: Walk,
  isModern: boolean,
): void {
  const { type } = value;
  const at = { file: location.file, pointer: childPointer(location.pointer, "type") };
  if (Array.isArray(type) && !isModern) {
    const advice = version === "3.0" ? ' Use one type, and "nullable: true" where null is allowed too.' : "";
    diagnostics.error(at, `"type" can't be a list in OpenAPI ${version}.${advice}`);
  } else {
    const allowed = isModern ? types : olderTypes;
    for (const one of Array.isArray(type) ? type : type === undefined ? [] : [type]) {
      if (allowed.includes(one as string) || (version === "2.0" && one === "file")) continue;
      const likely =
        typeof one === "string" && Object.hasOwn(likelyTypes, one.toLowerCase())
          ? likelyTypes[one.toLowerCase()]
          : undefined;
      const advice = likely ? ` Write ${likely}.` : one === "null" && version === "3.0" ? ' Use "nullable: true".' : "";
      diagnostics.error(
        at,
        `The type of a schema has to be ${enumerate(allowed)}, and is ${typeof one === "string" ? quoted(one) : describeKind(one)}.${advice}`,
      );
    }
  }
  if (type === "array" && value.items === undefined && !isModern) {
    diagnostics.error(
      location,
      'This schema is an array, so it needs "items" that say of what; "items: {}" allows anything.',
    );
  }
}

function validateWords(value: JsonRecord, location: DocumentLocation, walk: Walk, isModern: boolean): void {
  const { diagnostics, version } = walk;
  const at = (word: string) => ({ file: location.file, pointer: childPointer(location.pointer, word) });
  for (const word of wholeNumbers) {
    const given = getMember(value, word);
    if (given !== undefined && !(Number.isInteger(given) && (given as number) >= 0)) {
      diagnostics.error(
        at(word),
        `"${word}" has to be a whole number from 0 up, and is ${typeof given === "number" ? given : describeKind(given)}.`,
      );
    }
  }
  for (const [low, high] of bounds) {
    const [least, max] = [getMember(value, low), getMember(value, high)];
    if (typeof least === "number" && typeof max === "number" && least > max) {
      diagnostics.warn(at(low), `"${low}" ${least} is above "${high}" ${max}, so no value is allowed.`);
    }
  }
  for (const word of ["minimum", "maximum", "multipleOf"]) {
    const given = getMember(value, word);
    if (given !== undefined && typeof given !== "number")
      diagnostics.error(at(word), `"${word}" has to be a number, and is ${describeKind(given)}.`);
  }
  if (typeof value.multipleOf === "number" && value.multipleOf <= 0) {
    diagnostics.error(at("multipleOf"), '"multipleOf" has to be above 0.');
  }
  for (const word of ["exclusiveMinimum", "exclusiveMaximum"]) {
    const given = getMember(value, word);
    if (given === undefined || typeof given === (isModern ? "number" : "boolean")) continue;
    const limit = word === "exclusiveMinimum" ? "minimum" : "maximum";
    const advice = isModern
      ? `give the limit itself: ${word}: 5`
      : `write "${limit}" with the number and "${word}: true"`;
    diagnostics.error(
      at(word),
      `"${word}" has to be ${isModern ? "a number" : "true or false"} in OpenAPI ${version}: ${advice}.`,
    );
  }
  for (const word of truths) {
    const given = getMember(value, word);
    if (given !== undefined && typeof given !== "boolean")
      diagnostics.error(at(word), `"${word}" has to be true or false, and is ${describeKind(given)}.`);
  }
  for (const word of ["title", "description", "format", "pattern"]) {
    const given = getMember(value, word);
    if (given !== undefined && typeof given !== "string")
      diagnostics.error(at(word), `"${word}" has to be a text, and is ${describeKind(given)}.`);
  }
  if (value.enum !== undefined && !Array.isArray(value.enum)) {
    diagnostics.error(at("enum"), `"enum" has to be a list of values, and is ${describeKind(value.enum)}.`);
  } else if (Array.isArray(value.enum) && value.enum.length === 0) {
    const message = '"enum" is empty, so no value is allowed. List the values, or remove it.';
    if (isModern) diagnostics.warn(at("enum"), message);
    else diagnostics.error(at("enum"), message);
  }
  if (typeof value.pattern === "string") validatePattern(value.pattern, at("pattern"), walk);
  if (isModern && value.nullable !== undefined) {
    diagnostics.warn(
      at("nullable"),
      `OpenAPI ${version} has no "nullable"; it is not looked at. Write type: ["string", "null"] instead.`,
    );
  }
  validateSchemaWords(value, location, walk);
  if (value.discriminator !== undefined) validateDiscriminator(value.discriminator, at("discriminator"), walk);
  if (value.xml !== undefined) walk.validate(value.xml, { is: "object", kind: "xml" }, at("xml"));
  validateRequired(value, location, walk, isModern);
}

/** 2.0 contains only the property's name. */
function validateDiscriminator(discriminator: unknown, location: DocumentLocation, walk: Walk): void {
  const { diagnostics, version } = walk;
  if (version !== "2.0" && typeof discriminator === "string") {
    diagnostics.error(
      location,
      `"discriminator" has to be an object in OpenAPI ${version}: write propertyName: ${quoted(discriminator)} into it.`,
    );
  } else if (version !== "2.0") walk.validate(discriminator, { is: "object", kind: "discriminator" }, location);
  else if (typeof discriminator !== "string") {
    const name = getMember(discriminator, "propertyName");
    const advice = typeof name === "string" ? ` Write discriminator: ${quoted(name)}.` : "";
    diagnostics.error(
      location,
      `"discriminator" has to be the name of a property in OpenAPI 2.0, and is ${describeKind(discriminator)}.${advice}`,
    );
  }
}

function validateSubschemas(value: JsonRecord, location: DocumentLocation, walk: Walk, isModern: boolean): void {
  const shape = { is: "schema" } as const;
  for (const word of Object.keys(value)) {
    const member = value[word];
    const at = { file: location.file, pointer: childPointer(location.pointer, word) };
    if (mapsOfSchemas.has(word)) {
      if (!isRecord(member)) {
        walk.diagnostics.error(at, `"${word}" has to be an object of schemas by name, and is ${describeKind(member)}.`);
        continue;
      }
      if (typeof getMember(member, "$ref") === "string") {
        walk.validate(member, { is: "map", of: shape }, at);
        continue;
      }
      for (const name of Object.keys(member)) {
        walk.validate(member[name], shape, { file: at.file, pointer: childPointer(at.pointer, name) });
      }
    } else if (listsOfSchemas.has(word)) {
      if (!Array.isArray(member))
        walk.diagnostics.error(at, `"${word}" has to be a list of schemas, and is ${describeKind(member)}.`);
      else if (member.length === 0)
        walk.diagnostics.error(at, `"${word}" is empty; give at least one schema or remove it.`);
      for (const [index, item] of toList(member).entries()) {
        walk.validate(item, shape, { file: at.file, pointer: childPointer(at.pointer, index) });
      }
    } else if (word === "items" && Array.isArray(member)) {
      walk.diagnostics.error(
        at,
        isModern
          ? '"items" has to be one schema; "prefixItems" lists schemas by position.'
          : '"items" has to be one schema, not a list.',
      );
    } else if (
      singleSchemas.has(word) &&
      (isModern ||
        ![
          "if",
          "then",
          "else",
          "contains",
          "propertyNames",
          "contentSchema",
          "unevaluatedItems",
          "unevaluatedProperties",
        ].includes(word))
    ) {
      if (word === "additionalProperties" && typeof member === "boolean") continue;
      walk.validate(member, shape, at);
    }
  }
}
