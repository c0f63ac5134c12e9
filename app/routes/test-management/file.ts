import type { LoaderFunctionArgs } from "@remix-run/node";
import { problemResponse } from "~/backend/responses";
import { requireViewer } from "~/session/guards";

/** A stored file under its original name; always a download and never rendered, since its content is unchecked. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { signal } = request;
  const result = await viewer.backend.testRegistry.getFile({ params: { sha256: params.sha256! }, signal });
  if (!result.ok) throw problemResponse(result.problem);
  const name = new URL(request.url).searchParams.get("name")?.slice(0, 300) || "file";
  return new Response(result.response.body, {
    headers: {
      "content-type": "application/octet-stream",
      "content-length": result.response.headers.get("content-length") ?? "",
      // RFC 8187; other characters than these are encoded.
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`,
      "cache-control": "private, no-cache",
      "x-content-type-options": "nosniff",
    },
  });
}
