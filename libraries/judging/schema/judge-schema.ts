import type { SchemaObject } from "#contracts/api-registry/operations.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import type { Json } from "../../json/json.ts";
import { UnreadableJson } from "../../json/parse-json.ts";
import { toPlainJson } from "../../json/write-json.ts";
import { findValue } from "../assertion/find-value.ts";
import { type Show, shortenValue } from "../describe-value.ts";
import { type JudgedResponse, Unjudgeable } from "../judged-response.ts";
import { type Evaluation, shownActual } from "../verification.ts";
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

/** The body as JSON, or an evaluation with the reason why it is not JSON. */
export function readJsonBody(judged: JudgedResponse): { value: Json } | { evaluation: Evaluation } {
  try {
    return { value: judged.json() };
  } catch (error) {
    if (!(error instanceof UnreadableJson)) throw error;
    if (error.reason === "too_deep") throw new Unjudgeable("body_too_deep", error.message);
    return { evaluation: { outcome: "failed", message: judged.reasonOf(error) } };
  }
}

function judgeBody(target: SchemaObject | undefined, judged: JudgedResponse, validator: SchemaValidator): Evaluation {
  let placed: PlacedSchema;
  if (target === undefined) {
    const found = findResponseSchema(judged);
    if ("reason" in found) {
      if (found.undocumentedStatus)
        return { outcome: "failed", message: `${found.reason.slice(0, -1)}, so no schema describes the body.` };
      throw new Unjudgeable("nothing_documented", found.reason);
    }
    placed = found.placed;
  } else placed = { schema: target, pointer: "#", origin: "given" };
  const read = readJsonBody(judged);
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
