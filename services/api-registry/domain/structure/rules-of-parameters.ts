import { isRecord, type JsonRecord, toList, toRecord, toText } from "#libraries/json/json-value.ts";
import type { DocumentLocation } from "../diagnostics.ts";
import { quoted } from "../diagnostics.ts";
import { childPointer } from "../references/pointer.ts";
import type { Rule, Walk } from "./rule.ts";
import { checkExamples } from "./rules-of-content.ts";
import { enumerate } from "./wording.ts";

const styles: Record<string, string[]> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
};

export const validateParameter: Rule = (value, location, walk) => {
  const { diagnostics, version } = walk;
  const called = `The parameter ${quoted(toText(value.name))}`;
  if (value.in === "path" && value.required !== true) {
    diagnostics.error(
      location,
      `${called} is part of the path, so it needs "required: true".`,
      'Parameters of the path need "required: true".',
    );
  }
  if (version === "2.0") {
    validateSwaggerParameter(value, location, walk, called);
    return;
  }
  const locations = ["path", "query", "header", "cookie", ...(version === "3.2" ? ["querystring"] : [])];
  const where = toText(value.in);
  if (where !== "" && !locations.includes(where)) {
    const advice =
      where === "body" || where === "formData" ? ' From OpenAPI 3.0 on, "requestBody" of the operation says it.' : "";
    diagnostics.error(
      { ...location, pointer: childPointer(location.pointer, "in") },
      `"in" of a parameter has to be ${enumerate(locations)}, and is ${quoted(where)}.${advice}`,
    );
  }
  validateStyle(value, where, location, walk);
  if (value.allowReserved !== undefined && where !== "query" && version !== "3.2") {
    diagnostics.error(
      { ...location, pointer: childPointer(location.pointer, "allowReserved") },
      `${called} has "allowReserved", which only query parameters may have.`,
      'Only query parameters may have "allowReserved".',
    );
  }
  validateDescriptionOfValue(value, location, walk, called);
};

function validateStyle(
  value: JsonRecord,
  where: string,
  location: DocumentLocation,
  { diagnostics, version }: Walk,
): void {
  const allowed = where === "cookie" && version === "3.2" ? ["form", "cookie"] : styles[where];
  if (typeof value.style !== "string" || !allowed || allowed.includes(value.style)) return;
  diagnostics.error(
    { ...location, pointer: childPointer(location.pointer, "style") },
    `The style ${quoted(value.style)} does not exist for ${where} parameters; use ${enumerate(allowed)}.`,
  );
}

function validateSwaggerParameter(
  value: JsonRecord,
  location: DocumentLocation,
  { diagnostics }: Walk,
  called: string,
): void {
  if (value.in === "body") {
    if (value.schema === undefined) diagnostics.error(location, `"schema" is missing: a body parameter needs it.`);
    const schema = toRecord(value.schema);
    if (schema.type === "file") {
      diagnostics.error(
        { ...location, pointer: `${location.pointer}/schema/type` },
        `${called} has the type "file", which exists only for formData parameters: write in: "formData" and type: "file".`,
      );
    }
    return;
  }
  const types = ["string", "number", "boolean", "integer", "array", ...(value.in === "formData" ? ["file"] : [])];
  const type = toText(value.type);
  if (type === "")
    diagnostics.error(location, `"type" is missing: a parameter in ${quoted(toText(value.in))} needs it.`);
  else if (!types.includes(type)) {
    diagnostics.error(
      { ...location, pointer: childPointer(location.pointer, "type") },
      `The type of this parameter has to be ${enumerate(types)}, and is ${quoted(type)}.`,
    );
  }
  if (type === "array" && value.items === undefined) {
    diagnostics.error(location, `${called} is an array, so it needs "items" that say of what.`);
  }
  if (value.collectionFormat === "multi" && value.in !== "query" && value.in !== "formData") {
    diagnostics.error(
      { ...location, pointer: childPointer(location.pointer, "collectionFormat") },
      'The collection format "multi" exists only for query and formData parameters.',
    );
  }
}

export const validateHeader: Rule = (value, location, walk) => {
  if (walk.version === "2.0") {
    if (value.type === "array" && value.items === undefined) {
      walk.diagnostics.error(location, 'The header is an array, so it needs "items" that say of what.');
    }
    return;
  }
  validateDescriptionOfValue(value, location, walk, "The header");
};

/** A parameter's or header's value is described by either `schema` or `content`. */
function validateDescriptionOfValue(value: JsonRecord, location: DocumentLocation, walk: Walk, called: string): void {
  const { diagnostics } = walk;
  if (value.schema !== undefined && value.content !== undefined) {
    diagnostics.error(
      location,
      `${called} has both "schema" and "content"; keep one of them.`,
      'Parameters or headers have both "schema" and "content"; keep one of them.',
    );
  } else if (value.schema === undefined && value.content === undefined) {
    diagnostics.error(
      location,
      `${called} needs "schema" (or "content") to say what its value looks like.`,
      'Parameters and headers need "schema" (or "content") to say what their values look like.',
    );
  }
  if (isRecord(value.content) && Object.keys(value.content).length !== 1) {
    diagnostics.error(
      { ...location, pointer: childPointer(location.pointer, "content") },
      `"content" of ${called.toLowerCase()} needs exactly one media type.`,
    );
  }
  checkExamples(value, location, walk);
}

/** Two parameters of one list may not have the same name and location. */
export function validateParameterList(value: unknown, location: DocumentLocation, { diagnostics }: Walk): void {
  const seen = new Set<string>();
  for (const [index, parameter] of toList(value).entries()) {
    if (!isRecord(parameter) || parameter.$ref !== undefined) continue;
    const key = `${toText(parameter.in)} ${toText(parameter.name)}`;
    if (seen.has(key)) {
      diagnostics.error(
        { ...location, pointer: `${location.pointer}/parameters/${index}` },
        `The ${toText(parameter.in)} parameter ${quoted(toText(parameter.name))} is in this list twice; remove one.`,
      );
    }
    seen.add(key);
  }
}
