import { findDocumentedContent, findDocumentedResponse } from "../documented-response.ts";
import type { JudgedResponse } from "../judged-response.ts";
import { parseMediaType } from "../media-type.ts";
import { evaluateDocumentedBody } from "../schema/judge-schema.ts";
import { findResponseSchema } from "../schema/response-schema.ts";
import type { SchemaValidator } from "../schema/schema-validator.ts";
import type { Evaluation } from "../verification.ts";

export function skipped(message: string): Evaluation {
  return { outcome: "skipped", message };
}

export const sentIsUnknown = "What was sent is not known, so there is nothing to judge.";

export const notInDocument = "The operation is not in the document, so there is nothing to compare with.";

/** Whether a response never has a body (RFC 9110, 6.4.1). */
function isBodiless({ input, operation, response }: JudgedResponse): boolean {
  const method = input.request?.method ?? operation?.operation.method;
  return method?.toUpperCase() === "HEAD" || response.status === 204 || response.status === 304;
}

/** The status must be documented: exactly, as a range such as `2XX`, or by `default`. */
export function checkStatusCode({ operation, response }: JudgedResponse): Evaluation {
  if (!operation) return skipped(notInDocument);
  const { responses } = operation.operation;
  if (responses.length === 0) return skipped("No response is documented.");
  const documented = responses.map(({ status }) => status);
  const passed = findDocumentedResponse(responses, response.status) !== undefined;
  return {
    outcome: passed ? "passed" : "failed",
    message: `Expected a documented status (${documented.join(", ")}), got ${response.status}.`,
    target: documented,
    actual: response.status,
  };
}

/** The content type must be documented for the status; wildcards and parameters count. */
export function checkContentType(judged: JudgedResponse): Evaluation {
  const { operation, response } = judged;
  if (!operation) return skipped(notInDocument);
  const documented = findDocumentedResponse(operation.operation.responses, response.status);
  if (!documented) return skipped(`Status ${response.status} is not documented.`);
  if (documented.content.length === 0) return skipped(`No body is documented for status ${documented.status}.`);
  if (isBodiless(judged)) return skipped("A response of this kind has no body.");
  const target = documented.content.map(({ mediaType }) => mediaType);
  const [came] = judged.headers("content-type");
  const actual = came === undefined ? undefined : parseMediaType(came);
  const passed = actual !== undefined && findDocumentedContent(documented.content, actual) !== undefined;
  return {
    outcome: passed ? "passed" : "failed",
    message: `Expected the content type ${target.join(" or ")}, got ${came === undefined ? "none" : judged.show(came)}.`,
    target,
    ...(came === undefined ? {} : { actual: judged.show(came) }),
  };
}

/** The body must match the schema documented for its status and content type. */
export function checkResponseSchema(judged: JudgedResponse, validator: SchemaValidator): Evaluation {
  const found = findResponseSchema(judged);
  if ("reason" in found) return skipped(found.reason);
  if (isBodiless(judged)) return skipped("A response of this kind has no body.");
  return evaluateDocumentedBody(found, judged, validator);
}
