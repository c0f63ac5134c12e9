import type { SchemaObject } from "#contracts/api-registry/operations.ts";
import type { Json } from "../../json/json.ts";
import { parseJson, UnreadableJson } from "../../json/parse-json.ts";
import { listSchemaTypes } from "../../openapi/parameter-value.ts";
import { flattenSchema } from "../../openapi/schema-parts.ts";
import { readScalar, readXml } from "../../openapi/xml/read-xml.ts";
import { getXmlShape, isXmlType } from "../../openapi/xml/xml-shape.ts";
import { findSequence } from "../../sequence/sequence.ts";
import { UnreadableMarkup } from "../../xpath/markup.ts";
import type { JudgedResponse } from "../judged-response.ts";
import { Unjudgeable } from "../judged-response.ts";
import { isJson, type MediaType } from "../media-type.ts";
import type { Evaluation } from "../verification.ts";

/** How a body is read before its schema judges it; `items`: each item by the schema. */
export type BodyForm = "json" | "sequence" | "items" | "xml" | "form" | "text";

type Components = Record<string, SchemaObject>;

/** The form in which a schema can judge a media type, or the reason why it can't. */
export function findBodyForm(
  mediaType: MediaType,
  schema: SchemaObject,
  components: Components,
): BodyForm | { reason: string } {
  const essence = `${mediaType.type}/${mediaType.subtype}`;
  if (isJson(mediaType)) return "json";
  const types = listSchemaTypes(schema, components);
  const isTextOnly = types.length > 0 && types.every((type) => type === "string");
  const { format, type } = flattenSchema(schema, { find: (name) => components[name] }) ?? {};
  const isBinary = format === "binary" || type === "file" || /^(image|audio|video|font)\/(?!svg)/i.test(essence);
  if (isBinary)
    return { reason: `Not evaluated: ${essence} is documented as a file, whose content no schema describes.` };
  if (findSequence(essence) !== undefined && !isTextOnly)
    return types.includes("array") && !isItemList(schema) ? "sequence" : "items";
  if (isXmlType(essence) && !isTextOnly) return "xml";
  if (essence === "application/x-www-form-urlencoded") return "form";
  const isText = mediaType.type === "text" || isXmlType(essence) || isTextOnly;
  const isStructured = types.some((type) => type === "object" || type === "array");
  if (isText && !isStructured && mediaType.type !== "multipart") return "text";
  return { reason: `Not evaluated: ${essence} has no form in which this schema could be compared with it.` };
}

/** Says nothing about the list but what its items are. */
function isItemList(schema: SchemaObject): boolean {
  return typeof schema === "object" && Object.keys(schema).every((key) => key === "type" || key === "items");
}

/**
 * The body as a value of its schema, or an evaluation with the reason why it can't be read.
 * @throws Unjudgeable
 */
export function readDescribedBody(
  judged: JudgedResponse,
  form: BodyForm,
  schema: SchemaObject,
): { value: Json } | { evaluation: Evaluation } {
  const components = judged.operation?.components ?? {};
  if (form === "xml") return readXmlBody(judged, schema, components);
  if (form === "text") return { value: readScalar(judged.text(), new Set(listSchemaTypes(schema, components))) };
  if (form === "form") return { value: readForm(judged.text(), schema, components) };
  try {
    return { value: judged.json() };
  } catch (error) {
    if (!(error instanceof UnreadableJson)) throw error;
    if (error.reason === "too_deep") throw new Unjudgeable("body_too_deep", error.message);
    return { evaluation: { outcome: "failed", message: judged.reasonOf(error) } };
  }
}

function readXmlBody(
  judged: JudgedResponse,
  schema: SchemaObject,
  components: Components,
): { value: Json } | { evaluation: Evaluation } {
  const failed = (message: string) => ({ evaluation: { outcome: "failed" as const, message } });
  try {
    const { documentElement } = judged.document().root;
    if (!documentElement) return failed("The body has no XML element.");
    const source = { find: (reference: string) => components[reference] };
    const { name } = getXmlShape(schema, source);
    if (name !== undefined && name !== documentElement.localName) {
      return failed(`Expected the root element ${name}, found ${judged.show(documentElement.localName)}.`);
    }
    return { value: readXml(documentElement, schema, source) };
  } catch (error) {
    if (!(error instanceof UnreadableMarkup)) throw error;
    return failed(`The body is not XML: ${judged.hideInSentence(error.message)}.`);
  }
}

/** Repeated names of a list are its items; objects are JSON, as forms usually send them. */
function readForm(text: string, schema: SchemaObject, components: Components): Json {
  const source = { find: (reference: string) => components[reference] };
  const { properties } = getXmlShape(schema, source);
  const fields = new URLSearchParams(text);
  const members = [...new Set(fields.keys())].map((name): [string, Json] => {
    const own = getXmlShape(properties.get(name), source);
    const values = fields.getAll(name);
    if (own.types.has("array")) {
      const { types } = getXmlShape(own.items, source);
      return [name, values.map((value) => readScalar(value, types))];
    }
    if (own.types.has("object")) return [name, readObject(values[0] ?? "")];
    const [first = "", ...others] = values.map((value) => readScalar(value, own.types));
    return [name, others.length > 0 ? [first, ...others] : first];
  });
  return Object.fromEntries(members);
}

function readObject(text: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof UnreadableJson) return text;
    throw error;
  }
}
