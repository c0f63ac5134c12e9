import type { OperationResponse, SchemaObject } from "#contracts/api-registry/operations.ts";
import { numberFromText } from "../../json/exact-number.ts";
import type { Json } from "../../json/json.ts";
import { findDocumentedResponse } from "../documented-response.ts";
import type { JudgedOperation, JudgedResponse } from "../judged-response.ts";
import { Unjudgeable } from "../judged-response.ts";
import { headerPointer } from "../schema/response-schema.ts";
import type { SchemaFault, SchemaValidator } from "../schema/schema-validator.ts";
import type { Evaluation } from "../verification.ts";
import { notInDocument, skipped } from "./conformance.ts";

type DocumentedHeader = OperationResponse["headers"][number];

/** The schema or the component that it refers to, to find the expected type. */
function resolve(schema: SchemaObject, operation: JudgedOperation): Record<string, unknown> {
  let found: SchemaObject | undefined = schema;
  for (let hops = 0; hops < 10 && typeof found === "object" && typeof found.$ref === "string"; hops += 1) {
    found = operation.components[found.$ref];
  }
  return typeof found === "object" ? found : {};
}

function readScalar(text: string, types: unknown[]): Json {
  if ((types.includes("integer") || types.includes("number")) && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) {
    return numberFromText(text);
  }
  if (types.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** Reads a header as a value of its schema's type. Headers use the `simple` style: lists are separated by commas. */
function readHeader(text: string, schema: SchemaObject, operation: JudgedOperation): Json {
  const { type, items } = resolve(schema, operation);
  const types = [type].flat();
  if (!types.includes("array")) return readScalar(text.trim(), types);
  const itemSchema = typeof items === "object" && items !== null ? (items as SchemaObject) : {};
  const itemTypes = [resolve(itemSchema, operation).type].flat();
  return text.split(",").map((item) => readScalar(item.trim(), itemTypes));
}

/** Documented headers must be present when required, and must match their schemas. */
export function checkResponseHeaders(judged: JudgedResponse, validator: SchemaValidator): Evaluation {
  const { operation, response } = judged;
  if (!operation) return skipped(notInDocument);
  const documented = findDocumentedResponse(operation.operation.responses, response.status);
  if (!documented) return skipped(`Status ${response.status} is not documented.`);
  // OpenAPI: a documented Content-Type header is ignored.
  const headers = documented.headers.filter((header) => header.name.toLowerCase() !== "content-type");
  if (headers.length === 0) return skipped(`No headers are documented for status ${documented.status}.`);
  const faults = headers.flatMap((header) => judgeHeader(header, judged, operation, documented.status, validator));
  const names = headers.map((header) => header.name).join(", ");
  return {
    outcome: faults.length === 0 ? "passed" : "failed",
    message: faults[0]?.message ?? `The headers are as documented: ${names}.`,
    target: headers.map((header) => header.name),
    ...(faults.length > 0 ? { schemaErrors: faults.slice(0, 20) } : {}),
  };
}

function judgeHeader(
  header: DocumentedHeader,
  judged: JudgedResponse,
  operation: JudgedOperation,
  status: string,
  validator: SchemaValidator,
): SchemaFault[] {
  const values = judged.headers(header.name);
  const schemaPointer = headerPointer(operation, status, header.name);
  if (values.length === 0) {
    const message = `The required header ${header.name} is missing.`;
    return header.required ? [{ pointer: "", schemaPointer, message, expected: header.name }] : [];
  }
  if (header.schema === undefined) return [];
  const value = readHeader(values.join(", "), header.schema, operation);
  const placed = { schema: header.schema, pointer: schemaPointer, origin: "document" as const };
  const { faults, unsupportedPattern } = validator.validate(placed, value, operation, (one) => judged.show(one));
  if (faults.length === 0 && unsupportedPattern !== undefined) {
    throw new Unjudgeable("unsupported_pattern", unsupportedPattern);
  }
  return faults.map((fault) => ({ ...fault, message: fault.message.replace(/^\$/, `Header ${header.name}`) }));
}
