import type { Refusal } from "~/session/request-origin";

/** Bytes of a public form: sign-in, the cookie banner. */
const visitorBytes = 64 * 1024;
/** Bytes, above the largest document with its form, so that a document that is too large gets its own error message. */
const viewerBytes = 80 * 1_048_576;

/**
 * Why a body is rejected unread: whole forms are held in memory, so their size must be limited. Browsers send the
 * length of every form; a body without one could be endless.
 */
export function refusalOfBody(request: Request, signedIn: boolean): Refusal | undefined {
  if (request.method === "GET" || request.method === "HEAD") return undefined;
  const length = request.headers.get("content-length");
  if (length === null && request.headers.has("transfer-encoding")) {
    return { status: 411, sentence: "The request has no content length, so it was not read." };
  }
  if (Number(length ?? 0) <= (signedIn ? viewerBytes : visitorBytes)) return undefined;
  return { status: 413, sentence: "The request is larger than any form of the portal, so it was not read." };
}
