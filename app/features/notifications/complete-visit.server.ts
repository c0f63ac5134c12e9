import { isOutstanding } from "#contracts/portal-service/outstanding.ts";
import { visitParameter } from "~/features/notifications/destination";
import type { PortalContext } from "~/session/context";
import { findViewer } from "~/session/guards";

/** Query parameter of a notification's destination, see `getDestination`. */
const targets = /^\/(billing|subscriptions\/[^/]+)?$/;

/** Nothing to complete: not an id, another user's, or settled in another tab meanwhile. */
const moot = [400, 404, 409];

/**
 * Completes the notification that led to this page: it only asked for the visit, and the next one may open on this
 * page. Failures are logged; the page does not depend on it.
 */
export async function completeVisit(request: Request, context: PortalContext): Promise<void> {
  const { pathname, searchParams } = new URL(request.url);
  const notificationId = targets.test(pathname) ? searchParams.get(visitParameter) : null;
  const viewer = notificationId ? findViewer(context) : undefined;
  if (!notificationId || !viewer || viewer.session.needsSecondFactor) return;
  const { portalService } = viewer.backend;
  const params = { notificationId };
  const found = await portalService.getNotification({ params });
  // Opening the same address again has no effect.
  if (found.ok && !isOutstanding(found.value)) return;
  const result = found.ok ? await portalService.completeNotification({ params }) : found;
  if (result.ok) context.session.setAnnounce("later");
  else if (!moot.includes(result.status)) {
    const { status, problem } = result;
    context.log.error(
      { requestId: context.requestId, notificationId, status, code: problem.code },
      "a visit could not complete its notification",
    );
  }
}
