import type { UserNotification } from "../../services/portal-service/contract/notifications.ts";

/** What tells the page reached that it was asked for. */
export const visitParameter = "user-notification-id";

/** Where Continue leads (section 4 of the specification). */
export function destinationOf(notification: Pick<UserNotification, "id" | "action" | "subscriptionId">): string {
  const { id, action, subscriptionId } = notification;
  const search = `?${visitParameter}=${id}`;
  if (action === "SELECT_SERVICE") return `/${search}#pricing`;
  if (action === "SUBSCRIBE_TO_SERVICE") return `/billing${search}`;
  if (action === "APPROVE_SUBSCRIPTION_PAYMENT") {
    return subscriptionId ? `/subscriptions/${encodeURIComponent(subscriptionId)}${search}` : `/billing${search}`;
  }
  return `/${search}`;
}
