import type { SchemaObject } from "#contracts/api-registry/operations.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import type { Json, JsonObject } from "../../json/json.ts";
import { toPlainJson, writeJson } from "../../json/write-json.ts";
import { getXmlShape } from "../../openapi/xml/xml-shape.ts";
import { findValue } from "../assertion/find-value.ts";
import { type Show, shortenValue } from "../describe-value.ts";
import { type JudgedResponse, Unjudgeable } from "../judged-response.ts";
import { type Evaluation, shownActual } from "../verification.ts";
import { type BodyForm, readDescribedBody } from "./described-body.ts";
import { findResponseSchema } from "./response-schema.ts";
import { type PlacedSchema, type SchemaFault, type SchemaValidator, showPointer } from "./schema-validator.ts";

/** Characters of JSON. Larger schemas are not stored with the verification; the document has them. */
const largestKeptSchema = 20_000;

function keptSchema(given: SchemaObject): { schema?: unknown } {
  const schema = toPlainJson(given as Json);
  return JSON.stringify(schema).length <= largestKeptSchema ? { schema } : {};
}

export function schemaMessage(what: string, faults: SchemaFault[]): string {
  const [first] = faults;
  if (!first) return `${what} is as its schema describes.`;
  const more = faults.length > 1 ? ` And ${faults.length - 1} more.` : "";
  return `${what} is not as its schema describes. ${first.message}${more}`;
}

/**
 * Judges one value by one schema.
 * @throws Unjudgeable
 */
export function evaluateBySchema(
  what: string,
  placed: PlacedSchema,
  value: Json,
  judged: JudgedResponse,
  validator: SchemaValidator,
): Evaluation {
  const show: Show = (one) => judged.show(one);
  // A given schema may contain values from variables; the document's contains nothing sent or received.
  const shownSchema = placed.origin === "given" ? show(placed.schema) : placed.schema;
  const { faults, unsupportedPattern } = validator.validate(placed, value, judged.operation, show);
  if (faults.length === 0 && unsupportedPattern !== undefined) {
    throw new Unjudgeable("unsupported_pattern", unsupportedPattern);
  }
  return {
    outcome: faults.length === 0 ? "passed" : "failed",
    message: schemaMessage(what, faults),
    ...(faults.length > 0
      ? {
          schemaErrors: faults,
          pointer: faults[0]?.pointer,
          ...keptSchema(shownSchema),
          ...shownActual(show(shortenValue(value))),
        }
      : {}),
  };
}

/** Judges the body by the schema documented for it. */
export function evaluateDocumentedBody(
  { placed, form }: { placed: PlacedSchema; form: BodyForm },
  judged: JudgedResponse,
  validator: SchemaValidator,
): Evaluation {
  const read = readDescribedBody(judged, form, placed.schema);
  if ("evaluation" in read) return read.evaluation;
  if (form !== "items") return evaluateBySchema("The body", placed, read.value, judged, validator);
  return evaluateItems(placed, read.value as Json[], judged, validator);
}

/** The items of a stream, each by the schema of one: the first that does not match is reported. */
function evaluateItems(
  whole: PlacedSchema,
  items: Json[],
  judged: JudgedResponse,
  validator: SchemaValidator,
): Evaluation {
  if (items.length === 0) return { outcome: "skipped", message: "Not evaluated: the body has no items." };
  const placed = toItemSchema(whole, judged);
  for (const [index, item] of items.entries()) {
    const value = judged.sequence === "events" ? toEvent(item, placed, judged) : item;
    const evaluation = evaluateBySchema(`Item ${index + 1}`, placed, value, judged, validator);
    if (evaluation.outcome !== "passed") return { ...evaluation, pointer: `/${index}${evaluation.pointer ?? ""}` };
  }
  const count = items.length === 1 ? "The item is" : `All ${items.length} items are`;
  return { outcome: "passed", message: `${count} as described by the schema.` };
}

/** `itemSchema` of 3.2 is described as the items of a list. */
function toItemSchema(placed: PlacedSchema, { operation }: JudgedResponse): PlacedSchema {
  const { schema, pointer } = placed;
  if (typeof schema !== "object" || schema.type !== "array" || schema.items === undefined) return placed;
  const isNamed = operation?.specificationVersion === "3.2";
  const itemPointer = isNamed ? pointer.replace(/schema$/, "itemSchema") : `${pointer}/items`;
  return { ...placed, schema: schema.items as SchemaObject, pointer: itemPointer };
}

/** An event as its schema sees it: its data alone where no member `data` is described, which may be a text. */
function toEvent(item: Json, { schema }: PlacedSchema, judged: JudgedResponse): Json {
  const { data, ...rest } = item as JsonObject;
  if (data === undefined) return item;
  const components = judged.operation?.components ?? {};
  const source = { find: (reference: string) => components[reference] };
  const { properties } = getXmlShape(schema, source);
  if (!properties.has("data")) return data;
  const { types } = getXmlShape(properties.get("data"), source);
  const isText = types.size > 0 && [...types].every((type) => type === "string");
  return { ...rest, data: isText && typeof data !== "string" ? writeJson(data) : data };
}

function judgeBody(target: SchemaObject | undefined, judged: JudgedResponse, validator: SchemaValidator): Evaluation {
  if (target === undefined) {
    const found = findResponseSchema(judged);
    if ("reason" in found) {
      if (found.undocumentedStatus)
        return { outcome: "failed", message: `${found.reason.slice(0, -1)}, so no schema describes the body.` };
      throw new Unjudgeable("nothing_documented", found.reason);
    }
    return evaluateDocumentedBody(found, judged, validator);
  }
  const placed: PlacedSchema = { schema: target, pointer: "#", origin: "given" };
  const read = readDescribedBody(judged, "json", target);
  return "evaluation" in read ? read.evaluation : evaluateBySchema("The body", placed, read.value, judged, validator);
}

/** `matchesSchema` for the whole body (documented schema unless one is given) or for the selection of a JSONPath. */
export function judgeAgainstSchema(
  assertion: Assertion,
  judged: JudgedResponse,
  validator: SchemaValidator,
): Evaluation {
  const { source, target } = assertion;
  if (target !== undefined && typeof target !== "boolean" && (typeof target !== "object" || target === null)) {
    throw new Unjudgeable("invalid_assertion", "The target is not a JSON Schema.");
  }
  const schema = target as SchemaObject | undefined;
  if (source === "schema" || source === "body") return judgeBody(schema, judged, validator);
  if (schema === undefined) throw new Unjudgeable("invalid_assertion", "The assertion has no schema as target.");
  const found = findValue(judged, assertion);
  if (found.kind === "missing") {
    return { outcome: "failed", message: `${found.place}: expected what the schema describes, but ${found.reason}.` };
  }
  const placed: PlacedSchema = { schema, pointer: "#", origin: "given" };
  const evaluation = evaluateBySchema(found.place, placed, found.value, judged, validator);
  if (found.pointer === undefined || found.pointer === "") return evaluation;
  const base = showPointer(found.pointer, (one) => judged.show(one));
  const under = (pointer: string) => `${base}${pointer}`;
  return {
    ...evaluation,
    pointer: under(evaluation.pointer ?? ""),
    ...(evaluation.schemaErrors
      ? { schemaErrors: evaluation.schemaErrors.map((fault) => ({ ...fault, pointer: under(fault.pointer) })) }
      : {}),
  };
}
