import { Problem } from "#contracts/kit/problem.ts";
import { nextAsk } from "../domain/subscription.ts";
import type { Cause } from "../jobs/cause.ts";
import { completeOfSubscription } from "../store/notifications.ts";
import { addEntry, lockSubscription, type SubscriptionRow, updateSubscription } from "../store/subscriptions.ts";

type Transaction = Parameters<typeof updateSubscription>[0];

/** During this time the caller calls the provider; after it the job does. */
export const leftToCallerMilliseconds = 15_000;

/** Payment ends as soon as the provider responds. */
export async function askToCancel(transaction: Transaction, own: SubscriptionRow, cause: Cause, now: Date) {
  const { state, cancel_asked_at } = await lockSubscription(transaction, own.organization_id, own.id);
  if (state === "CANCELLED" || state === "EXPIRED") throw new Problem("conflict", "It has already ended.");
  if (cancel_asked_at) return;
  await updateSubscription(transaction, {
    organization_id: own.organization_id,
    id: own.id,
    cancel_asked_at: now,
    cancel_asked_by: cause.userId ?? null,
    // Called at once here; by the job after a crash.
    ask_at: new Date(now.getTime() + leftToCallerMilliseconds),
    updated_at: now,
  });
  await cause.record?.(transaction, { id: own.id, before: { state }, after: { state, isCancelling: true } });
}

/** Unapproved subscriptions are left: one that is approved later is cancelled at the provider. */
export async function giveUp(transaction: Transaction, own: SubscriptionRow, cause: Cause, now: Date) {
  const { state } = await lockSubscription(transaction, own.organization_id, own.id);
  if (state !== "PENDING_APPROVAL")
    throw new Problem("conflict", "It is no longer waiting for approval. Check its state again.");
  await updateSubscription(transaction, {
    organization_id: own.organization_id,
    id: own.id,
    state: "CANCELLED",
    state_changed_at: now,
    superseded: true,
    approve_url: null,
    ask_at: nextAsk(
      { state: "CANCELLED", superseded: true, createdAt: own.created_at, hintedAt: null, cancelRequestedAt: null },
      now,
    ),
    updated_at: now,
  });
  const { text = "Cancelled.", userId } = cause;
  await addEntry(transaction, { subscription: own, at: now, state: "CANCELLED", text, userId });
  await cause.record?.(transaction, { id: own.id, before: { state }, after: { state: "CANCELLED" } });
  await completeOfSubscription(transaction, own.organization_id, own.id, now);
}
