import type { PortalContext } from "~/session/context";
import { hasConsent } from "~/session/cookies";
import { findViewer } from "~/session/guards";
import { accessToView, pageAt } from "~/session/route-access";
import { readSingleKeys } from "~/session/single-keys";
import { readTheme } from "~/session/theme";
import { asksForTimeZone, getTimeZone } from "~/session/time-zone";

/** The frame of every page, also of an error page. */
export function getShell(request: Request, context: PortalContext) {
  const { pathname: path, search, searchParams } = new URL(request.url);
  const viewer = findViewer(context);
  return {
    path,
    search,
    // The page after a decline has no banner; no cookie could record it for later ones.
    asksForCookies: !hasConsent(request) && searchParams.get("cookies") !== "declined",
    asksForTimeZone: asksForTimeZone(request),
    timeZone: getTimeZone(request, context.session.auth),
    theme: readTheme(request),
    viewerName: viewer?.session.fullName,
    railScopes: viewer && hasRail(path) ? viewer.session.scopes : undefined,
    hasSingleKeys: readSingleKeys(request) === "on",
    byInvitation: context.registersByInvitation,
    contactAddress: context.contactAddress,
    requestId: context.requestId,
  };
}

/** Public pages have their own layout. A mistyped address gets the rail as a way on. */
function hasRail(path: string): boolean {
  const page = pageAt(path);
  return page === "/*" || accessToView(page) !== "public";
}
