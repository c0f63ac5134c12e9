import type { Logger } from "pino";
import { deedText, type OpenDeed } from "../domain/operator-deed.ts";
import { held, paymentFailed } from "../domain/standing-notifications.ts";
import { approvalEnds, mustBeCancelled, nextAsk, type SubscriptionState, stateAfter } from "../domain/subscription.ts";
import { isTimeToTell, trialAfter, trialToldAt } from "../domain/trial.ts";
import { ProviderFailure, type ProviderSubscription } from "../payment/provider.ts";
import { completeOfSubscription, insertNotificationAnew } from "../store/notifications.ts";
import { keepPayments, newestPayment } from "../store/payments.ts";
import { findOpenChange, type PlanChangeRow, updateOpenChange } from "../store/plan-changes.ts";
import { findPlan, findPlanAtProvider } from "../store/plans.ts";
import {
  addEntry,
  columnsOf,
  countQuestion,
  deedColumns,
  lockSubscription,
  openDeedOf,
  type SubscriptionRow,
  trialOf,
  updateSubscription,
} from "../store/subscriptions.ts";
import type { BillingLetters } from "./billing-letters.ts";
import type { Cause } from "./cause.ts";
import { followPlan } from "./followed-plan.ts";
import type { OwnPlans } from "./own-plans.ts";
import { createProviderOrders, type ProviderOrderOptions } from "./provider-orders.ts";

export interface ProviderTruthOptions extends ProviderOrderOptions {
  log: Pick<Logger, "warn">;
  ownPlans: OwnPlans;
  letters: Pick<BillingLetters, "tell" | "tellTrialEnds">;
}

export type ProviderTruth = ReturnType<typeof createProviderTruth>;

const dayMilliseconds = 86_400_000;

const words: Record<SubscriptionState, string> = {
  PENDING_APPROVAL: "Waiting for approval at PayPal.",
  ACTIVE: "Approved at PayPal.",
  SUSPENDED: "Suspended by PayPal after payments failed.",
  CANCELLED: "Cancelled.",
  EXPIRED: "Ended: it was not approved in time, or PayPal no longer knows it.",
};

/** What the provider was asked about, and when. */
type Asked = SubscriptionRow & { askedAt: Date };

/** Who brought a new state about, and what the history says of it. @param done the operator's deed that did */
function tellOf(row: SubscriptionRow, state: SubscriptionState, done: OpenDeed | undefined, { userId }: Cause) {
  if (state === "CANCELLED" && row.cancel_asked_at)
    return { text: "Cancelled by a member.", userId: row.cancel_asked_by ?? undefined };
  return done ? { text: deedText(done), userId: done.userId } : { text: words[state], userId };
}

/** Keeps subscriptions as the provider has them: makes them there, and asks. */
export function createProviderTruth(options: ProviderTruthOptions) {
  const { db, provider, clock, log, ownPlans, letters } = options;
  const orders = createProviderOrders(options);

  /** Whether this is the subscription that we asked for, at a plan of ours. */
  async function findMismatch(row: SubscriptionRow, seen: ProviderSubscription): Promise<string | undefined> {
    if (seen.id !== row.provider_id || seen.customId !== row.id) return "it is another one's";
    if (seen.planId === row.provider_plan_id) return undefined;
    const changed = row.state !== "PENDING_APPROVAL" && (await findPlanAtProvider(db, seen.planId));
    return changed ? undefined : "its plan is none that was asked for";
  }

  /**
   * Writes down what was seen, unless a later question was answered meanwhile.
   * @param seen undefined: the provider knows none such, or, where `isAnother`, only one that was not asked for
   */
  async function keep(asked: Asked, seen: ProviderSubscription | undefined, cause: Cause, { isAnother = false } = {}) {
    const now = clock.now();
    const known = seen?.lastPayment ? await newestPayment(db, asked) : undefined;
    const isPaidAnew = seen?.lastPayment && (!known || seen.lastPayment.at > known);
    // Of a refund nothing else tells.
    const wasTold = seen !== undefined && asked.hinted_at !== null && asked.hinted_at >= asked.updated_at;
    const declinedMore = (seen?.failedPayments ?? 0) > asked.failed_payments;
    // A day more on both sides: the provider's clock is another.
    const [from, to] = [asked.created_at.getTime() - dayMilliseconds, now.getTime() + dayMilliseconds];
    const payments =
      seen && (isPaidAnew || declinedMore || wasTold || cause.withPayments)
        ? await provider.listPayments(asked.provider_id!, new Date(from), new Date(to))
        : [];
    const billed = seen && (await findPlanAtProvider(db, seen.planId));

    return await db.transaction().execute(async (transaction) => {
      const row = await lockSubscription(transaction, asked.organization_id, asked.id);
      if (row.answered >= asked.asked) return row;
      // It was approved while this question was on its way; another one says nothing of it.
      if (isAnother && row.state !== "PENDING_APPROVAL") return row;
      const standing = { state: row.state, createdAt: row.created_at, superseded: row.superseded };
      const state = stateAfter(standing, seen, now);
      const { planned, open } = await followPlan(transaction, { row, state, billed, now, cause });
      const trial = trialAfter(trialOf(row), seen, now);
      const tellsTrialEnds = state === "ACTIVE" && row.cancel_asked_at === null && isTimeToTell(trial, now);
      const isAnotherPlan = planned.current.serviceId !== row.service_id;
      const isNew = state !== row.state;
      const deed = openDeedOf(row);
      const done = isNew && deed?.state === state ? deed : undefined;
      const openDeed = deed && !done && asked.askedAt < deed.endsAt ? deed : undefined;
      const changes: Partial<SubscriptionRow> = {
        state,
        answered: asked.asked,
        updated_at: now,
        began_at: row.began_at ?? (state === "ACTIVE" ? now : null),
        ...(isNew
          ? {
              state_changed_at: seen?.stateChangedAt ?? now,
              held_because: done?.state === "SUSPENDED" ? done.because : null,
            }
          : {}),
        ...deedColumns(openDeed),
        ...(seen
          ? {
              next_billing_at: seen.nextBillingAt,
              // Not told any more once it is cancelled; and what a bank declined is not paid for.
              ...(seen.nextBillingAt && seen.failedPayments === 0 ? { paid_until: seen.nextBillingAt } : {}),
              failed_payments: seen.failedPayments,
            }
          : {}),
        ...(state === "PENDING_APPROVAL" ? {} : { approve_url: null }),
        ...columnsOf(planned),
        trial_days: isAnotherPlan ? 0 : trial.days,
        trial_ends_at: trial.endsAt,
        trial_told_at: tellsTrialEnds ? now : trial.toldAt,
        ...(billed ? { provider_plan_id: billed.planId } : {}),
      };
      const asking = {
        state,
        superseded: row.superseded,
        createdAt: row.created_at,
        hintedAt: row.hinted_at,
        cancelAskedAt: row.cancel_asked_at,
        deedEndsAt: openDeed?.endsAt,
        changeAskedAt: open?.created_at,
        nextPlanAt: planned.next?.at,
        trialToldAt: trialToldAt(trial),
      };
      // A later question has its own time, and sets the next one when it is answered.
      if (row.asked === asked.asked) changes.ask_at = nextAsk(asking, now);
      const kept = await updateSubscription(transaction, {
        organization_id: row.organization_id,
        id: row.id,
        ...changes,
      });
      await keepPayments(transaction, kept, payments);
      if (isNew) {
        await addEntry(transaction, { subscription: row, at: now, state, ...tellOf(row, state, done, cause) });
        await cause.record?.(transaction, { id: row.id, before: { state: row.state }, after: { state } });
        await tell(transaction, kept, now);
      }
      await letters.tell(transaction, row, kept);
      if (tellsTrialEnds) await letters.tellTrialEnds(transaction, kept);
      await ownPlans.settle(transaction, row.organization_id);
      return kept;
    });
  }

  /** What the subscriber is asked for, and what is not asked for any more. */
  async function tell(transaction: Parameters<typeof completeOfSubscription>[0], row: SubscriptionRow, now: Date) {
    await completeOfSubscription(transaction, row.organization_id, row.id, now);
    if (row.state !== "SUSPENDED") return;
    const name = (await findPlan(transaction, row.service_id))?.name ?? row.service_id;
    const owner = { organizationId: row.organization_id, userId: row.user_id };
    const wording = row.held_because === null ? paymentFailed(name) : held(name, row.held_because);
    await insertNotificationAnew(transaction, owner, wording, now, row.id);
  }

  /** Cancels it at the provider. What is over there already is refused, and stays over. */
  async function cancel(providerId: string, reason: string): Promise<ProviderSubscription | undefined> {
    try {
      await provider.cancelSubscription(providerId, reason);
    } catch (error) {
      const isOver = error instanceof ProviderFailure && error.kind === "refused";
      const seen = isOver ? await provider.findSubscription(providerId) : undefined;
      if (!isOver || seen?.state === "ACTIVE" || seen?.state === "SUSPENDED") throw error;
      return seen;
    }
    return await provider.findSubscription(providerId);
  }

  async function giveUpChange(row: SubscriptionRow, change: PlanChangeRow, text: string) {
    await db.transaction().execute(async (transaction) => {
      const now = clock.now();
      const { organization_id, id } = change;
      const given = await updateOpenChange(transaction, { organization_id, id, state: "WITHDRAWN", updated_at: now });
      if (given) await addEntry(transaction, { subscription: row, at: now, state: row.state, text });
    });
  }

  return {
    /** Has the provider make the plan of a service at a price, unless it did. @throws ProviderFailure */
    ensurePlan: orders.requireProviderPlan,

    /**
     * Asks the provider and writes down what it says; what it has yet to make or to cancel it is asked for first.
     * @throws ProviderFailure
     */
    async ask(row: SubscriptionRow, cause: Cause): Promise<SubscriptionRow> {
      const asked: Asked = { ...(await countQuestion(db, row.organization_id, row.id)), askedAt: clock.now() };
      if (!asked.provider_id) {
        // By then the provider forgot the id under which it was asked for: another try could make a second one.
        const isOver = asked.state !== "PENDING_APPROVAL" || clock.now() >= approvalEnds(asked.created_at);
        return isOver ? await keep(asked, undefined, cause) : await orders.subscribe(asked);
      }
      const seen = await provider.findSubscription(asked.provider_id);
      const mismatch = seen && (await findMismatch(asked, seen));
      if (mismatch) {
        log.warn(
          { subscriptionId: row.id, providerId: asked.provider_id },
          `the provider's subscription does not count: ${mismatch}`,
        );
        return await keep(asked, undefined, cause, { isAnother: true });
      }
      const { superseded, cancel_asked_at: cancelAskedAt } = asked;
      if (mustBeCancelled({ superseded, cancelAskedAt }, seen)) {
        const reason = superseded ? "Another subscription took its place" : "Cancelled by the customer";
        return await keep(asked, await cancel(asked.provider_id, reason), cause);
      }
      const kept = await keep(asked, seen, cause);
      const open = kept.state === "ACTIVE" && (await findOpenChange(db, kept.organization_id, kept.id));
      if (open && open.provider_plan_id === null) await this.changePlan(kept, open, cause);
      return kept;
    },

    /**
     * Asks the provider for another plan: under the change's id, so that however often it is tried, one is asked for.
     * What it refuses is given up. @throws ProviderFailure
     */
    async changePlan(row: SubscriptionRow, change: PlanChangeRow, cause: Cause): Promise<void> {
      try {
        const waits = await orders.changePlan(row, change);
        // Not every way to pay has to be approved again: then the provider bills the plan already.
        if (!waits) await this.ask(row, cause);
      } catch (error) {
        if (!(error instanceof ProviderFailure) || error.kind !== "refused") throw error;
        await giveUpChange(row, change, "PayPal refuses this change of plan.");
        throw error;
      }
    },
  };
}
