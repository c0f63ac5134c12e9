import type { PortalContext } from "~/session/context";
import { hasConsent } from "~/session/cookies";
import { findViewer } from "~/session/guards";
import { themeOf } from "~/session/theme";
import { asksForTimeZone, timeZoneOf } from "~/session/time-zone";

/** What surrounds every page, also one that could not be made. */
export function shellOf(request: Request, context: PortalContext) {
  const { pathname: path, search, searchParams } = new URL(request.url);
  return {
    path,
    search,
    // The page that follows a decline does not ask again; no cookie could say so to the ones after it.
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
