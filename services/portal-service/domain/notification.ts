import type { NotificationState } from "#contracts/portal-service/notifications.ts";

/** Where a notification stands. Skipped until `returnsAt` it is new again then; without that it stays skipped. */
export interface Standing {
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

/** Not now: asked again after a day. */
export function skippedFrom(now: Date): Standing {
  return { state: "SKIPPED", returnsAt: new Date(now.getTime() + skipMilliseconds) };
}

/**
 * Where a notification stands after a change, or undefined when the change is not allowed. Saying a state again changes
 * nothing, but of skipping for a day and skipping for good the latter stays, in whichever order they come.
 */
export function moveTo(current: Standing, wanted: Standing): Standing | undefined {
  if (current.state === wanted.state) return wanted.returnsAt === null ? wanted : current;
  return successors[current.state].includes(wanted.state) ? wanted : undefined;
}

/** What users may say of a notification themselves; NEW and FAILED are the services' to say. */
export function mayBeSaidByUser(state: NotificationState): boolean {
  return state !== "NEW" && state !== "FAILED";
}
