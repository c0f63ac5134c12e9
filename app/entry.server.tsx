import { PassThrough } from "node:stream";
import { type AppLoadContext, createReadableStreamFromReadable, type EntryContext } from "@remix-run/node";
import { RemixServer } from "@remix-run/react";
import { renderToPipeableStream } from "react-dom/server";
import { EntryProvider } from "~/shell/entry-script";

export { createPortal } from "~/portal.server";

/** Pages are whole documents: rendering waits for everything, since without script nothing could arrive later. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  context: AppLoadContext,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(
      <EntryProvider module={remixContext.manifest.entry.module} nonce={context.nonce}>
        <RemixServer context={remixContext} url={request.url} nonce={context.nonce} />
      </EntryProvider>,
      {
        nonce: context.nonce,
        onAllReady() {
          const body = new PassThrough();
          headers.set("content-type", "text/html; charset=utf-8");
          resolve(new Response(createReadableStreamFromReadable(body), { status, headers }));
          pipe(body);
        },
        onShellError: reject,
        onError(error) {
          context.log.error(
            { err: error, requestId: context.requestId, path: new URL(request.url).pathname },
            "page failed to render",
          );
        },
      },
    );
    setTimeout(abort, 10_000).unref();
  });
}

/** Where what we got wrong is logged, with the id that the error view shows. */
export function handleError(error: unknown, { request, context }: { request: Request; context: AppLoadContext }) {
  if (request.signal.aborted) return;
  context.log.error({ err: error, requestId: context.requestId, path: new URL(request.url).pathname }, "page failed");
}
