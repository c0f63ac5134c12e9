import type { AppLoadContext, EntryContext } from "@remix-run/node";
import { RemixServer } from "@remix-run/react";
import { renderToString } from "react-dom/server";
import { EntryProvider } from "~/shell/entry-script";

export { createPortal } from "~/portal.server";

/**
 * Pages are whole documents, so they are rendered in one go: without script nothing could arrive later, and the detour
 * through streams costs more than most pages.
 */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  context: AppLoadContext,
): Response {
  const page = renderToString(
    <EntryProvider module={remixContext.manifest.entry.module} nonce={context.nonce}>
      <RemixServer context={remixContext} url={request.url} nonce={context.nonce} />
    </EntryProvider>,
  );
  headers.set("content-type", "text/html; charset=utf-8");
  return new Response(`<!DOCTYPE html>${page}`, { status, headers });
}

/** Where what we got wrong is logged, with the id that the error view shows. */
export function handleError(error: unknown, { request, context }: { request: Request; context: AppLoadContext }) {
  if (request.signal.aborted) return;
  context.log.error({ err: error, requestId: context.requestId, path: new URL(request.url).pathname }, "page failed");
}
