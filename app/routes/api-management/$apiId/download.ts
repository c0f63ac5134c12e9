import type { LoaderFunctionArgs } from "@remix-run/node";
import { problemResponse } from "~/backend/responses";
import { requireViewer } from "~/session/guards";

/** The document as imported, byte for byte; always a download and never rendered, since its content is untrusted. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const known = request.headers.get("if-none-match");
  const result = await viewer.backend.apiRegistry.getDocument({
    params: { apiId: params.apiId!, documentId: params.documentId! },
    headers: known ? { "if-none-match": known } : {},
    signal: request.signal,
  });
  if (!result.ok) throw problemResponse(result.problem);
  const headers = new Headers({
    "content-type": "application/octet-stream",
    "content-disposition": "attachment",
    "cache-control": "private, no-cache",
    "x-content-type-options": "nosniff",
  });
  for (const name of ["etag", "content-length", "content-disposition"]) {
    const value = result.response.headers.get(name);
    if (value) headers.set(name, value);
  }
  return new Response(result.response.body, { status: result.response.status, headers });
}
