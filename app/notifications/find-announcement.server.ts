import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import { findViewer } from "~/session/guards";
import type { UserNotification } from "../../services/portal-service/contract/notifications.ts";
import { nextAnnouncement } from "../../services/portal-service/contract/outstanding.ts";

export interface Announcement {
  notification: UserNotification;
  /** Opens a second after the page: something else was answered just before. */
  delayed: boolean;
}

/**
 * What the modal of this page asks for. Only the page after signing in, or after an answer, asks the service; when it
 * is away the next page does.
 */
export async function findAnnouncement(request: Request, context: PortalContext): Promise<Announcement | undefined> {
  const viewer = findViewer(context);
  const { announce } = context.session;
  if (!viewer || !announce || new URL(request.url).pathname === href("/signout")) return undefined;
  const answer = await viewer.backend.portalService.listNotifications();
  if (!answer.ok) {
    const { status, problem } = answer;
    context.log.warn({ requestId: context.requestId, status, code: problem.code }, "notifications could not be read");
    return undefined;
  }
  context.session.takeAnnounce();
  const notification = nextAnnouncement(answer.value);
  return notification && { notification, delayed: announce === "later" };
}
