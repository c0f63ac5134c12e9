import { isPrefetch } from "remix-utils/is-prefetch";
import { notificationActions } from "#contracts/portal-service/notifications.ts";
import { isOutstanding } from "#contracts/portal-service/outstanding.ts";
import { visitParameter } from "~/features/notifications/destination";
import type { PortalContext } from "~/session/context";
import { findViewer } from "~/session/guards";

/** Query parameter of a notification's destination, see `getDestination`. */
const targets = /^\/(billing|subscriptions\/[^/]+)?$/;

/** Nothing to complete: not an id, another user's, or settled in another tab meanwhile. */
const moot = [400, 404, 409];

/** Completed by what they request: a plan chosen, subscribed to, a payment approved. */
const requested: ReadonlySet<string | null> = new Set(notificationActions);

/**
 * Completes the notification that led to a page, if the visit is all it requests: once the page was served, and not a
 * prefetched one that may never be displayed. Failures are logged; the page does not depend on it.
 */
export async function completeVisit(request: Request, status: number, context: PortalContext): Promise<void> {
  if (status !== 200 || request.method !== "GET" || isPrefetch(request)) return;
  const { pathname, searchParams } = new URL(request.url);
  const notificationId = targets.test(pathname) ? searchParams.get(visitParameter) : null;
  const viewer = notificationId ? findViewer(context) : undefined;
  if (!notificationId || !viewer || viewer.session.needsSecondFactor) return;
  const { portalService } = viewer.backend;
  const params = { notificationId };
  const found = await portalService.getNotification({ params });
  // Opening the same address again has no effect.
  if (found.ok && (!isOutstanding(found.value) || requested.has(found.value.action))) return;
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
