import { type OpenAction, toActionText } from "../domain/operator-action.ts";
import { nextAsk, type SubscriptionState, stateAfter } from "../domain/subscription.ts";
import { getTrialNoticeAt, isNoticeDue, trialAfter } from "../domain/trial.ts";
import { createHeldWording, paymentFailed } from "../domain/welcome-notifications.ts";
import type { ProviderSubscription } from "../payment/provider.ts";
import { completeOfSubscription, insertNotificationAnew } from "../store/notifications.ts";
import { keepPayments, newestPayment } from "../store/payments.ts";
import { findPlan, findPlanAtProvider } from "../store/plans.ts";
import {
  addEntry,
  lockSubscription,
  type SubscriptionRow,
  toActionColumns,
  toOpenAction,
  toPlanColumns,
  toTrial,
  updateSubscription,
} from "../store/subscriptions.ts";
import type { BillingEmails } from "./billing-emails.ts";
import type { Cause } from "./cause.ts";
import { followPlan } from "./followed-plan.ts";
import type { OwnPlans } from "./own-plans.ts";
import type { ProviderOrderOptions } from "./provider-orders.ts";

export interface KeepTruthOptions extends ProviderOrderOptions {
  ownPlans: OwnPlans;
  emails: Pick<BillingEmails, "emailChange" | "emailTrialEnds">;
}

const dayMilliseconds = 86_400_000;

const words: Record<SubscriptionState, string> = {
  PENDING_APPROVAL: "Waiting for approval at PayPal.",
  ACTIVE: "Approved at PayPal.",
  SUSPENDED: "Suspended by PayPal after payments failed.",
  CANCELLED: "Cancelled.",
  EXPIRED: "Ended: it was not approved in time, or PayPal no longer knows it.",
};

/** The subscription checked, and when. */
export type CheckedRow = SubscriptionRow & { askedAt: Date };

/**
 * The actor of a new state, and its history text.
 * @param done the operator's action that led to it
 */
function getNotice(row: SubscriptionRow, state: SubscriptionState, done: OpenAction | undefined, { userId }: Cause) {
  if (state === "CANCELLED" && row.cancel_asked_at)
    return { text: "Cancelled by a member.", userId: row.cancel_asked_by ?? undefined };
  return done ? { text: toActionText(done), userId: done.userId } : { text: words[state], userId };
}

/** Stores the provider's state of a subscription, with all its consequences. */
export function createKeepTruth({ db, provider, clock, ownPlans, emails }: KeepTruthOptions) {
  /** Creates the notifications for the subscriber, and closes obsolete ones. */
  async function notify(transaction: Parameters<typeof completeOfSubscription>[0], row: SubscriptionRow, now: Date) {
    await completeOfSubscription(transaction, row.organization_id, row.id, now);
    if (row.state !== "SUSPENDED") return;
    const name = (await findPlan(transaction, row.service_id))?.name ?? row.service_id;
    const owner = { organizationId: row.organization_id, userId: row.user_id };
    const wording = row.held_because === null ? paymentFailed(name) : createHeldWording(name, row.held_because);
    await insertNotificationAnew(transaction, owner, wording, now, row.id);
  }

  /**
   * Stores a response unless a later call has been answered meanwhile.
   * @param seen undefined: unknown to the provider or, with `isAnother`, only known as one that was not requested
   */
  return async function keep(
    requested: CheckedRow,
    seen: ProviderSubscription | undefined,
    cause: Cause,
    { isAnother = false } = {},
  ) {
    const now = clock.now();
    const known = seen?.lastPayment ? await newestPayment(db, requested) : undefined;
    const isPaidAnew = seen?.lastPayment && (!known || seen.lastPayment.at > known);
    // Nothing else reports a refund.
    const wasHinted = seen !== undefined && requested.hinted_at !== null && requested.hinted_at >= requested.updated_at;
    const declinedMore = (seen?.failedPayments ?? 0) > requested.failed_payments;
    // One day of margin on both sides: the provider's clock differs.
    const [from, to] = [requested.created_at.getTime() - dayMilliseconds, now.getTime() + dayMilliseconds];
    const payments =
      seen && (isPaidAnew || declinedMore || wasHinted || cause.withPayments)
        ? await provider.listPayments(requested.provider_id!, new Date(from), new Date(to))
        : [];
    const billed = seen && (await findPlanAtProvider(db, seen.planId));

    return await db.transaction().execute(async (transaction) => {
      const row = await lockSubscription(transaction, requested.organization_id, requested.id);
      if (row.answered >= requested.asked) return row;
      // Approved while this call was in progress; a response about another one does not apply.
      if (isAnother && row.state !== "PENDING_APPROVAL") return row;
      const status = { state: row.state, createdAt: row.created_at, superseded: row.superseded };
      const state = stateAfter(status, seen, now);
      const { planned, open } = await followPlan(transaction, { row, state, billed, now, cause });
      const trial = trialAfter(toTrial(row), seen, now);
      const announcesTrialEnd = state === "ACTIVE" && row.cancel_asked_at === null && isNoticeDue(trial, now);
      const isAnotherPlan = planned.current.serviceId !== row.service_id;
      const isNew = state !== row.state;
      const action = toOpenAction(row);
      const done = isNew && action?.state === state ? action : undefined;
      const openAction = action && !done && requested.askedAt < action.endsAt ? action : undefined;
      const changes: Partial<SubscriptionRow> = {
        state,
        answered: requested.asked,
        updated_at: now,
        began_at: row.began_at ?? (state === "ACTIVE" ? now : null),
        ...(isNew
          ? {
              state_changed_at: seen?.stateChangedAt ?? now,
              held_because: done?.state === "SUSPENDED" ? done.because : null,
            }
          : {}),
        ...toActionColumns(openAction),
        ...(seen
          ? {
              next_billing_at: seen.nextBillingAt,
              // No longer announced after cancellation; and a declined payment is not paid.
              ...(seen.nextBillingAt && seen.failedPayments === 0 ? { paid_until: seen.nextBillingAt } : {}),
              failed_payments: seen.failedPayments,
            }
          : {}),
        ...(state === "PENDING_APPROVAL" ? {} : { approve_url: null }),
        ...toPlanColumns(planned),
        trial_days: isAnotherPlan ? 0 : trial.days,
        trial_ends_at: trial.endsAt,
        trial_told_at: announcesTrialEnd ? now : trial.noticedAt,
        ...(billed ? { provider_plan_id: billed.planId } : {}),
      };
      const requesting = {
        state,
        superseded: row.superseded,
        createdAt: row.created_at,
        hintedAt: row.hinted_at,
        cancelRequestedAt: row.cancel_asked_at,
        actionEndsAt: openAction?.endsAt,
        changeRequestedAt: open?.created_at,
        nextPlanAt: planned.next?.at,
        trialNoticeAt: getTrialNoticeAt(trial),
      };
      // A later call has its own time, and sets the next one with its response.
      if (row.asked === requested.asked) changes.ask_at = nextAsk(requesting, now);
      const stored = await updateSubscription(transaction, {
        organization_id: row.organization_id,
        id: row.id,
        ...changes,
      });
      await keepPayments(transaction, stored, payments);
      if (isNew) {
        await addEntry(transaction, { subscription: row, at: now, state, ...getNotice(row, state, done, cause) });
        await cause.record?.(transaction, { id: row.id, before: { state: row.state }, after: { state } });
        await notify(transaction, stored, now);
      }
      await emails.emailChange(transaction, row, stored);
      if (announcesTrialEnd) await emails.emailTrialEnds(transaction, stored);
      await ownPlans.settle(transaction, row.organization_id);
      return stored;
    });
  };
}
