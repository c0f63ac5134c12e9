import type { LoaderFunctionArgs } from "@remix-run/node";
import { problemResponse } from "~/backend/responses";
import { requireViewer } from "~/session/guards";

/** The document as imported, byte for byte; always a download and never rendered, since its content is untrusted. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const known = request.headers.get("if-none-match");
  const answer = await viewer.backend.apiRegistry.getDocument({
    params: { apiId: params.apiId!, documentId: params.documentId! },
    headers: known ? { "if-none-match": known } : {},
    signal: request.signal,
  });
  if (!answer.ok) throw problemResponse(answer.problem);
  const headers = new Headers({
    "content-type": "application/octet-stream",
    "content-disposition": "attachment",
    "cache-control": "private, no-cache",
    "x-content-type-options": "nosniff",
  });
  for (const name of ["etag", "content-length", "content-disposition"]) {
    const value = answer.response.headers.get(name);
    if (value) headers.set(name, value);
  }
  return new Response(answer.response.body, { status: answer.response.status, headers });
}
