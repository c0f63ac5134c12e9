import type { PortalContext } from "~/session/context";
import { hasConsent } from "~/session/cookies";
import { findViewer } from "~/session/guards";
import { themeOf } from "~/session/theme";
import { asksForTimeZone, timeZoneOf } from "~/session/time-zone";

/** The frame of every page, also of an error page. */
export function shellOf(request: Request, context: PortalContext) {
  const { pathname: path, search, searchParams } = new URL(request.url);
  return {
    path,
    search,
    // The page after a decline has no banner; no cookie could record it for later ones.
    asksForCookies: !hasConsent(request) && searchParams.get("cookies") !== "declined",
    asksForTimeZone: asksForTimeZone(request),
    timeZone: timeZoneOf(request, context.session.auth),
    theme: themeOf(request),
    viewerName: findViewer(context)?.session.fullName,
    byInvitation: context.registersByInvitation,
    contactAddress: context.contactAddress,
    requestId: context.requestId,
  };
}
