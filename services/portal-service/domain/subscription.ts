export const subscriptionStates = ["PENDING_APPROVAL", "ACTIVE", "SUSPENDED", "CANCELLED", "EXPIRED"] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];

/** Of an organization one subscription is live at a time. */
export const liveStates: readonly SubscriptionState[] = ["PENDING_APPROVAL", "ACTIVE", "SUSPENDED"];

/** A subscription whose payments failed goes on for so long, so that nobody is cut off over a weekend. */
export const graceDays = 7;
/** What was never approved ends after so long: the provider forgets by then what it was asked. */
export const approvalDays = 3;

const dayMilliseconds = 86_400_000;

/** What of the provider's answer decides. */
export interface Seen {
  state: "APPROVAL_PENDING" | "APPROVED" | "ACTIVE" | "SUSPENDED" | "CANCELLED" | "EXPIRED";
}

export interface Standing {
  state: SubscriptionState;
  createdAt: Date;
  /** Another one took its place before it was approved. */
  superseded: boolean;
}

/** What was not approved by then is over. */
export const approvalEnds = (createdAt: Date): Date => new Date(createdAt.getTime() + approvalDays * dayMilliseconds);

/**
 * The state by the provider's answer, whatever it was before: its answer is the truth, and what is told of it in any
 * order only a reason to ask. `undefined`: it knows none such.
 */
export function stateAfter(current: Standing, seen: Seen | undefined, now: Date): SubscriptionState {
  if (current.superseded) return "CANCELLED";
  const isPending = !seen || seen.state === "APPROVAL_PENDING" || seen.state === "APPROVED";
  if (!isPending) return seen.state as Exclude<Seen["state"], "APPROVAL_PENDING" | "APPROVED">;
  if (current.state !== "PENDING_APPROVAL") return seen ? "PENDING_APPROVAL" : "EXPIRED";
  return now < approvalEnds(current.createdAt) ? "PENDING_APPROVAL" : "EXPIRED";
}

/** Nobody is to pay for what they asked to cancel, nor for what was approved after another one took its place. */
export const mustBeCancelled = (
  { superseded, cancelAskedAt }: { superseded: boolean; cancelAskedAt: Date | null },
  seen: Seen | undefined,
): boolean =>
  (superseded || cancelAskedAt !== null) &&
  (seen?.state === "APPROVED" || seen?.state === "ACTIVE" || seen?.state === "SUSPENDED");

export interface Entitling {
  state: SubscriptionState;
  /** What is paid for lasts until then, also after it was cancelled. */
  paidUntil: Date | null;
  stateChangedAt: Date;
}

/** Until when a subscription gives what its plan allows; null: as long as it is active. Undefined: it does not. */
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

export interface Asking {
  state: SubscriptionState;
  superseded: boolean;
  createdAt: Date;
  /** When its buyer came back from the provider, or the provider told of it; null before. */
  hintedAt: Date | null;
  /** When somebody asked to cancel it; null before. */
  cancelAskedAt: Date | null;
  /** When what its operator does to it must have ended. */
  deedEndsAt?: Date;
  /** Since when a change to another plan waits for its buyer's approval. */
  changeAskedAt?: Date | null;
  /** When a planned change counts. */
  nextPlanAt?: Date | null;
  /** When somebody is to be told that a trial ends. */
  trialToldAt?: Date | null;
}

const second = 1_000;

/** What happened a moment ago is asked about in a second, then in twice as long each time. */
const pauseAfter = (moment: Date, now: Date) =>
  Math.min(Math.max(now.getTime() - moment.getTime(), second), 30 * second);

function untilApproved(askedAt: Date, hintedAt: Date | null, now: Date): number {
  if (hintedAt && hintedAt >= askedAt) return pauseAfter(hintedAt, now);
  return now.getTime() - askedAt.getTime() < 3_600 * second ? 30 * second : 3_600 * second;
}

/**
 * When to ask the provider again by ourselves; null: not at all. Whoever just came back, or asked to cancel, is waited for
 * from second to second, twice as long each time; what waits for approval is asked about twice a minute for an hour, then
 * every hour; what is active daily, in the moment in which a planned change counts, before it is told that a trial ends,
 * and when what the operator does to it must have ended.
 */
export function nextAsk(subscription: Asking, now: Date): Date | null {
  const { state, superseded, hintedAt, createdAt, cancelAskedAt, changeAskedAt } = subscription;
  const inMilliseconds = (wait: number) => new Date(now.getTime() + wait);
  const age = now.getTime() - createdAt.getTime();
  if (superseded) return age < approvalDays * dayMilliseconds ? inMilliseconds(10 * 60 * second) : null;
  if (state === "PENDING_APPROVAL") return inMilliseconds(untilApproved(createdAt, hintedAt, now));
  if (state !== "ACTIVE" && state !== "SUSPENDED") return null;
  const waits = [dayMilliseconds];
  if (cancelAskedAt) waits.push(pauseAfter(cancelAskedAt, now));
  if (changeAskedAt) waits.push(untilApproved(changeAskedAt, hintedAt, now));
  for (const at of [subscription.nextPlanAt, subscription.trialToldAt, subscription.deedEndsAt])
    if (at && at > now) waits.push(at.getTime() - now.getTime());
  return inMilliseconds(Math.min(...waits));
}
