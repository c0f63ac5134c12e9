import type { MediaTypeContent, OperationResponse } from "#contracts/api-registry/operations.ts";
import { type MediaType, matchesMediaType, parseMediaType } from "./media-type.ts";

/** The response documented for a status: exactly, else by range (`4XX`), else `default`. */
export function findDocumentedResponse(responses: OperationResponse[], status: number): OperationResponse | undefined {
  const range = `${Math.floor(status / 100)}XX`;
  return (
    responses.find((response) => response.status === String(status)) ??
    responses.find((response) => response.status.toUpperCase() === range) ??
    responses.find((response) => response.status === "default")
  );
}

/** The documented content that matches the actual media type, preferring the most specific one. */
export function findDocumentedContent(content: MediaTypeContent[], actual: MediaType): MediaTypeContent | undefined {
  let best: { content: MediaTypeContent; wildcards: number } | undefined;
  for (const candidate of content) {
    const documented = parseMediaType(candidate.mediaType);
    if (!documented || !matchesMediaType(documented, actual)) continue;
    const wildcards = candidate.mediaType.split("*").length;
    if (!best || wildcards < best.wildcards) best = { content: candidate, wildcards };
  }
  return best?.content;
}
