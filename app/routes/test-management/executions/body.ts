import type { LoaderFunctionArgs } from "@remix-run/node";
import { requireViewer } from "~/session/guards";
import { requireExecution } from "./require-execution.server";

/**
 * The stored body with secrets masked, as a download: pages display large ones in part. Binary bodies are not stored,
 * since secrets could not be found in them.
 */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { id, attempts } = await requireExecution(viewer, params);
  const search = new URL(request.url).searchParams;
  const attempt = attempts.find(({ number }) => number === Number(search.get("attempt")));
  const of = search.get("of") === "request" ? "request" : "response";
  const body = attempt?.[of]?.body;
  if (!body) throw new Response("Body not stored.", { status: 404 });
  return new Response(body, {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": `attachment; filename="${of}-${id}-${attempt.number}.txt"`,
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
}
