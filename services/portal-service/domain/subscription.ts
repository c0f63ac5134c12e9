export const subscriptionStates = ["PENDING_APPROVAL", "ACTIVE", "SUSPENDED", "CANCELLED", "EXPIRED"] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];

/** An organization has at most one live subscription. */
export const liveStates: readonly SubscriptionState[] = ["PENDING_APPROVAL", "ACTIVE", "SUSPENDED"];

/** The grace period after failed payments, so that no one is cut off over a weekend. */
export const graceDays = 7;
/** An unapproved subscription ends after this time, when the provider forgets the request. */
export const approvalDays = 3;

const dayMilliseconds = 86_400_000;

/** The facts of the provider's response that decide. */
export interface Seen {
  state: "APPROVAL_PENDING" | "APPROVED" | "ACTIVE" | "SUSPENDED" | "CANCELLED" | "EXPIRED";
}

export interface SubscriptionStatus {
  state: SubscriptionState;
  createdAt: Date;
  /** Replaced by another subscription before it was approved. */
  superseded: boolean;
}

/** When an unapproved subscription ends. */
export const approvalEnds = (createdAt: Date): Date => new Date(createdAt.getTime() + approvalDays * dayMilliseconds);

/**
 * The state according to the provider, whatever it was before: its response is authoritative, and webhooks in any
 * order are only a reason to request it. `undefined`: unknown to the provider.
 */
export function stateAfter(current: SubscriptionStatus, seen: Seen | undefined, now: Date): SubscriptionState {
  if (current.superseded) return "CANCELLED";
  const isPending = !seen || seen.state === "APPROVAL_PENDING" || seen.state === "APPROVED";
  if (!isPending) return seen.state as Exclude<Seen["state"], "APPROVAL_PENDING" | "APPROVED">;
  if (current.state !== "PENDING_APPROVAL") return seen ? "PENDING_APPROVAL" : "EXPIRED";
  return now < approvalEnds(current.createdAt) ? "PENDING_APPROVAL" : "EXPIRED";
}

/**
 * A subscription to cancel at the provider: its cancellation was requested, or it was approved after its
 * replacement.
 */
export const mustBeCancelled = (
  { superseded, cancelRequestedAt }: { superseded: boolean; cancelRequestedAt: Date | null },
  seen: Seen | undefined,
): boolean =>
  (superseded || cancelRequestedAt !== null) &&
  (seen?.state === "APPROVED" || seen?.state === "ACTIVE" || seen?.state === "SUSPENDED");

export interface Entitling {
  state: SubscriptionState;
  /** The end of the paid period, which a cancellation does not shorten. */
  paidUntil: Date | null;
  stateChangedAt: Date;
}

/** Until when a subscription grants its plan; null while it is active, undefined when it grants nothing. */
export function entitledUntil({ state, paidUntil, stateChangedAt }: Entitling): Date | null | undefined {
  if (state === "ACTIVE") return null;
  if (state === "SUSPENDED") return new Date(stateChangedAt.getTime() + graceDays * dayMilliseconds);
  if (state === "CANCELLED" && paidUntil) return paidUntil;
  return undefined;
}

export function isEntitled(subscription: Entitling, now: Date): boolean {
  const until = entitledUntil(subscription);
  return until === null || (until !== undefined && until > now);
}

export interface CheckedSubscription {
  state: SubscriptionState;
  superseded: boolean;
  createdAt: Date;
  /** When its buyer returned from the provider or a webhook reported it; null before. */
  hintedAt: Date | null;
  /** When its cancellation was requested; null before. */
  cancelRequestedAt: Date | null;
  /** When the operator's action must have ended. */
  actionEndsAt?: Date;
  /** Since when a plan change has been waiting for approval. */
  changeRequestedAt?: Date | null;
  /** When a planned change takes effect. */
  nextPlanAt?: Date | null;
  /** When the end of a trial is to be announced. */
  trialNoticeAt?: Date | null;
}

const second = 1_000;

/** A recent event is polled for after one second, then at doubling intervals. */
const pauseAfter = (moment: Date, now: Date) =>
  Math.min(Math.max(now.getTime() - moment.getTime(), second), 30 * second);

function untilApproved(askedAt: Date, hintedAt: Date | null, now: Date): number {
  if (hintedAt && hintedAt >= askedAt) return pauseAfter(hintedAt, now);
  return now.getTime() - askedAt.getTime() < 3_600 * second ? 30 * second : 3_600 * second;
}

/**
 * When to request the provider's state again; null for never. After a return or a cancellation: after one second,
 * then at doubling intervals. Waiting for approval: twice a minute for an hour, then hourly. Active: daily, when a
 * planned change takes effect, before the end of a trial is announced, and when the operator's action must have
 * ended.
 */
export function nextAsk(subscription: CheckedSubscription, now: Date): Date | null {
  const { state, superseded, hintedAt, createdAt, cancelRequestedAt, changeRequestedAt } = subscription;
  const inMilliseconds = (wait: number) => new Date(now.getTime() + wait);
  const age = now.getTime() - createdAt.getTime();
  if (superseded) return age < approvalDays * dayMilliseconds ? inMilliseconds(10 * 60 * second) : null;
  if (state === "PENDING_APPROVAL") return inMilliseconds(untilApproved(createdAt, hintedAt, now));
  if (state !== "ACTIVE" && state !== "SUSPENDED") return null;
  const waits = [dayMilliseconds];
  if (cancelRequestedAt) waits.push(pauseAfter(cancelRequestedAt, now));
  if (changeRequestedAt) waits.push(untilApproved(changeRequestedAt, hintedAt, now));
  for (const at of [subscription.nextPlanAt, subscription.trialNoticeAt, subscription.actionEndsAt])
    if (at && at > now) waits.push(at.getTime() - now.getTime());
  return inMilliseconds(Math.min(...waits));
}
