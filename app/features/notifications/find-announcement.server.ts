import type { UserNotification } from "#contracts/portal-service/notifications.ts";
import { nextAnnouncement } from "#contracts/portal-service/outstanding.ts";
import { getDestination } from "~/features/notifications/destination";
import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import { findViewer } from "~/session/guards";

export interface Announcement {
  notification: UserNotification;
  /** Opens a second after the page, since another one was answered just before. */
  delayed: boolean;
}

function leadsHere(notification: UserNotification, request: Request): boolean {
  const { pathname } = new URL(request.url);
  return pathname !== href("/") && new URL(getDestination(notification), request.url).pathname === pathname;
}

/**
 * The announcement in the modal of this page. Only the page after sign-in, or after an answer, calls the service; if it
 * is unavailable, the next page does.
 */
export async function findAnnouncement(request: Request, context: PortalContext): Promise<Announcement | undefined> {
  const viewer = findViewer(context);
  const { announce } = context.session;
  // Until a required second factor is set up, nothing else is announced.
  if (!viewer || viewer.session.needsSecondFactor || !announce) return undefined;
  if (new URL(request.url).pathname === href("/signout")) return undefined;
  const result = await viewer.backend.portalService.listNotifications();
  if (!result.ok) {
    const { status, problem } = result;
    context.log.warn({ requestId: context.requestId, status, code: problem.code }, "notifications could not be read");
    return undefined;
  }
  const notification = nextAnnouncement(result.value);
  // On its destination page an announcement is redundant; the next page asks.
  if (notification && leadsHere(notification, request)) return undefined;
  context.session.takeAnnounce();
  return notification && { notification, delayed: announce === "later" };
}
