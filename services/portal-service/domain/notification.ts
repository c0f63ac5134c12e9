import type { NotificationState } from "#contracts/portal-service/notifications.ts";

/** The state of a notification. A skipped one is new again at `returnsAt`, or stays skipped without it. */
export interface NotificationStatus {
  state: NotificationState;
  returnsAt: Date | null;
}

const skipMilliseconds = 24 * 60 * 60 * 1_000;

const successors: Record<NotificationState, readonly NotificationState[]> = {
  NEW: ["PENDING", "COMPLETED", "SKIPPED", "FAILED"],
  PENDING: ["COMPLETED", "SKIPPED", "FAILED"],
  COMPLETED: [],
  SKIPPED: [],
  FAILED: [],
};

/** Skipped for now: displayed again after a day. */
export function skippedFrom(now: Date): NotificationStatus {
  return { state: "SKIPPED", returnsAt: new Date(now.getTime() + skipMilliseconds) };
}

/**
 * The state of a notification after a change; undefined when the change is not allowed. Repeating a state changes
 * nothing, except that permanent skipping outlasts skipping for a day, in either order.
 */
export function moveTo(current: NotificationStatus, wanted: NotificationStatus): NotificationStatus | undefined {
  if (current.state === wanted.state) return wanted.returnsAt === null ? wanted : current;
  return successors[current.state].includes(wanted.state) ? wanted : undefined;
}

/** The states that users may set themselves; only services set NEW and FAILED. */
export function mayBeSaidByUser(state: NotificationState): boolean {
  return state !== "NEW" && state !== "FAILED";
}
