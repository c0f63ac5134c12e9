import { findDocumentedContent, findDocumentedResponse } from "../documented-response.ts";
import type { JudgedOperation, JudgedResponse } from "../judged-response.ts";
import { parseMediaType } from "../media-type.ts";
import { type BodyForm, findBodyForm } from "./described-body.ts";
import type { PlacedSchema } from "./schema-validator.ts";

function escapeStep(name: string): string {
  return name.replace(/~/g, "~0").replace(/\//g, "~1");
}

function responsePointer({ operation }: JudgedOperation, status: string): string {
  return `#/paths/${escapeStep(operation.path)}/${escapeStep(operation.method)}/responses/${escapeStep(status)}`;
}

/** The location of a response header's schema in its document; 2.0 puts the schema into the header object. */
export function headerPointer(operation: JudgedOperation, status: string, name: string): string {
  const header = `${responsePointer(operation, status)}/headers/${escapeStep(name)}`;
  return operation.specificationVersion === "2.0" ? header : `${header}/schema`;
}

/** The location of a response's schema in its document. */
function pointerTo(operation: JudgedOperation, status: string, mediaType: string): string {
  const response = responsePointer(operation, status);
  if (operation.specificationVersion === "2.0") return `${response}/schema`;
  return `${response}/content/${escapeStep(mediaType)}/schema`;
}

export type ResponseSchema =
  | { placed: PlacedSchema; form: BodyForm }
  | { reason: string; undocumentedStatus?: boolean };

/** The schema documented for the response, or the reason why there is none. */
export function findResponseSchema(judged: JudgedResponse): ResponseSchema {
  const { operation, response } = judged;
  if (!operation) return { reason: "The operation is not in the document." };
  const documented = findDocumentedResponse(operation.operation.responses, response.status);
  if (!documented) return { reason: `Status ${response.status} is not documented.`, undocumentedStatus: true };
  if (documented.content.length === 0) return { reason: `No body is documented for status ${documented.status}.` };
  const [contentType] = judged.headers("content-type");
  // Without a content type the first documented one is assumed; content_type_conformance reports that it is missing.
  const actual = parseMediaType(contentType ?? documented.content[0]?.mediaType ?? "");
  const content = actual && findDocumentedContent(documented.content, actual);
  if (!actual || !content)
    return {
      reason: `The content type ${judged.show(contentType)} is not documented for status ${documented.status}.`,
    };
  if (content.schema === undefined) return { reason: `No schema is documented for ${content.mediaType}.` };
  const form = findBodyForm(actual, content.schema, operation.components);
  if (typeof form === "object") return form;
  const pointer = pointerTo(operation, documented.status, content.mediaType);
  return { placed: { schema: content.schema, pointer, origin: "document" }, form };
}
