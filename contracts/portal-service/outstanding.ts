import type { NotificationState, UserNotification } from "./notifications.ts";

export type PriorityLevel = "CRITICAL" | "HIGH" | "MEDIUM" | "LOW";

/** Section 9 of the specification. */
export function priorityLevel(priority: number): PriorityLevel {
  if (priority >= 4) return "CRITICAL";
  if (priority >= 3) return "HIGH";
  return priority >= 2 ? "MEDIUM" : "LOW";
}

/** Section 9 of the specification. */
export const priorityHints: Record<PriorityLevel, string> = {
  CRITICAL: "Immediate attention is required to prevent service disruption.",
  HIGH: "Complete this as soon as possible to keep using the portal.",
  MEDIUM: "This should be completed for the best portal experience.",
  LOW: "This can be done at your convenience.",
};

export const outstandingStates: readonly NotificationState[] = ["NEW", "PENDING"];

export function isOutstanding({ state }: Pick<UserNotification, "state">): boolean {
  return outstandingStates.includes(state);
}

type Ranked = Pick<UserNotification, "type" | "state" | "priority" | "createdAt">;

/** The outstanding announcement of the highest priority; the older one if equal. */
export function nextAnnouncement<N extends Ranked>(notifications: readonly N[]): N | undefined {
  const [next] = notifications
    .filter((notification) => notification.type === "ANNOUNCEMENT" && isOutstanding(notification))
    .sort((one, other) => other.priority - one.priority || one.createdAt.localeCompare(other.createdAt));
  return next;
}
