import { uuidv7 } from "uuidv7";
import { nextAsk } from "../domain/subscription.ts";
import type { Offer } from "./provider-plans.ts";
import { type SubscriptionRow, toActionColumns, toPlanColumns } from "./subscriptions.ts";

/** A subscription waiting for approval, before the call to the provider. */
export function newSubscription(
  organizationId: string,
  { userId, serviceId, price, trialDays }: Offer & { userId: string },
  now: Date,
): SubscriptionRow {
  const requesting = { superseded: false, createdAt: now, hintedAt: null, cancelRequestedAt: null };
  return {
    id: uuidv7(),
    organization_id: organizationId,
    user_id: userId,
    ...toPlanColumns({ current: { serviceId, price }, next: null }),
    state: "PENDING_APPROVAL",
    state_changed_at: now,
    provider_id: null,
    provider_plan_id: null,
    approve_url: null,
    approval_hash: null,
    superseded: false,
    began_at: null,
    next_billing_at: null,
    paid_until: null,
    trial_days: trialDays,
    trial_ends_at: null,
    trial_told_at: null,
    failed_payments: 0,
    asked: 0,
    answered: 0,
    hinted_at: null,
    cancel_asked_at: null,
    cancel_asked_by: null,
    ask_at: nextAsk({ state: "PENDING_APPROVAL", ...requesting }, now),
    answered_at: null,
    answer_differences: null,
    held_because: null,
    ...toActionColumns(undefined),
    created_at: now,
    updated_at: now,
  };
}
