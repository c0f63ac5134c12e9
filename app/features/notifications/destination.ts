import type { UserNotification } from "#contracts/portal-service/notifications.ts";
import { href } from "~/href";

/** Query parameter that identifies the notification to the destination page. */
export const visitParameter = "user-notification-id";

/** The destination of Continue (section 4 of the specification). */
export function getDestination(notification: Pick<UserNotification, "id" | "action" | "subscriptionId">): string {
  const { id, action, subscriptionId } = notification;
  const search = { [visitParameter]: id };
  if (action === "SELECT_SERVICE") return `${href("/", search)}#pricing`;
  if (action === "APPROVE_SUBSCRIPTION_PAYMENT" && subscriptionId) {
    return href("/subscriptions/:subscriptionId", { subscriptionId }, search);
  }
  if (action === "SUBSCRIBE_TO_SERVICE" || action === "APPROVE_SUBSCRIPTION_PAYMENT") return href("/billing", search);
  return href("/", search);
}
