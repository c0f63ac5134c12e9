import type { AppLoadContext, EntryContext } from "@remix-run/node";
import { RemixServer } from "@remix-run/react";
import { renderToStaticMarkup } from "react-dom/server";
import { AwayServicesProvider } from "~/shell/away-notice";
import { EntryProvider } from "~/shell/entry-script";
import { getShell } from "~/shell/get-shell.server";
import { getPageStyles, hashRules, rememberSheet } from "~/shell/page-styles.server";
import { PageStylesProvider } from "~/shell/style-sheets";

export { createPortal } from "~/portal.server";

/**
 * Pages are whole documents, so they are rendered at once: without script nothing could arrive later, and streaming
 * costs more than most pages.
 */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  context: AppLoadContext,
): Response {
  const { errors, loaderData } = remixContext.staticHandlerContext;
  // An error view shows neither toasts nor outstanding notifications, and reports unavailable services on its own.
  if (errors) context.session.putBack();
  // After a failed action Remix runs no loader above the error view, which still belongs to this visitor's page.
  loaderData.root ??= getShell(request, context);
  const styles = getPageStyles(request, remixContext);
  const page = renderToStaticMarkup(
    <EntryProvider module={remixContext.manifest.entry.module} nonce={context.nonce}>
      <PageStylesProvider value={styles}>
        <AwayServicesProvider value={errors ? [] : [...context.away]}>
          <RemixServer context={onlyWhatIsShown(remixContext)} url={request.url} nonce={context.nonce} />
        </AwayServicesProvider>
      </PageStylesProvider>
    </EntryProvider>,
  );
  headers.set("content-type", "text/html; charset=utf-8");
  const remembered = rememberSheet(styles, context.publicOrigin.startsWith("https:"));
  if (remembered) headers.append("set-cookie", remembered);
  const policy = headers.get("content-security-policy");
  if (policy && styles.rules) {
    headers.set("content-security-policy", policy.replace("style-src 'self'", `style-src ${hashRules(styles.rules)}`));
  }
  return new Response(`<!DOCTYPE html>${isRejected(remixContext) ? sayError(page) : page}`, { status, headers });
}

/** Whether the page shows a rejected form again. */
function isRejected({ staticHandlerContext: { actionData, errors, statusCode } }: EntryContext): boolean {
  return Boolean(actionData) && !errors && statusCode >= 400;
}

/** Screen readers announce the title first, before the error summary. */
function sayError(page: string): string {
  return page.replace("<title>", "<title>Error: ");
}

/**
 * The context without its unused parts: for each page Remix serializes and matches every route of the product again,
 * and streams the loaders' data to a browser that never reads it, since the document is not hydrated.
 */
function onlyWhatIsShown(context: EntryContext): EntryContext {
  const { routes: all } = context.manifest;
  const routes: typeof all = {};
  for (const { route } of context.staticHandlerContext.matches) routes[route.id] = all[route.id]!;
  return { ...context, manifest: { ...context.manifest, routes }, serverHandoffStream: undefined };
}

/** Logs our own errors with the id that the error view shows. */
export function handleError(error: unknown, { request, context }: { request: Request; context: AppLoadContext }) {
  if (request.signal.aborted) return;
  context.log.error({ err: error, requestId: context.requestId, path: new URL(request.url).pathname }, "page failed");
}
