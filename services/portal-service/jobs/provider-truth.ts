import { createHash } from "node:crypto";
import type { Logger } from "pino";
import type { RecordChange } from "../../kit/audit/audit.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Vault } from "../../kit/vault/vault.ts";
import { type Money, parseMoney } from "../domain/money.ts";
import { paymentApproval, paymentFailed } from "../domain/standing-notifications.ts";
import { mustBeCancelled, nextAsk, type SubscriptionState, stateAfter } from "../domain/subscription.ts";
import type { PaymentProvider, ProviderSubscription, WaysBack } from "../payment/provider.ts";
import { completeOfSubscription, insertNotificationAnew, insertNotifications } from "../store/notifications.ts";
import { keepPayments, newestPayment } from "../store/payments.ts";
import { findPlan, findPlanAtProvider } from "../store/plans.ts";
import {
  addEntry,
  countQuestion,
  keepProviderPlan,
  lockSubscription,
  type SubscriptionRow,
  takeProviderPlan,
  updateSubscription,
} from "../store/subscriptions.ts";
import type { PortalDatabase } from "../store/tables.ts";

export interface ProviderTruthOptions {
  db: PortalDatabase;
  provider: PaymentProvider;
  vault: Vault;
  clock: Clock;
  log: Pick<Logger, "warn">;
  /** Where users reach the portal. */
  portalOrigin(): string;
}

/** Why a subscription is as it is now, for its history. */
export interface Cause {
  /** Instead of "Cancelled.", where that was asked for. */
  text?: string;
  userId?: string;
  /** Records the change in the transaction that makes it; the history tells of those that nobody asked for. */
  record?: RecordChange;
}

export type ProviderTruth = ReturnType<typeof createProviderTruth>;

const dayMilliseconds = 86_400_000;
const brandName = "API Assurance";

export const approvalHashOf = (token: string): string => createHash("sha256").update(token).digest("base64url");

/** The place of a sealed approval address. */
export const sealedAt = ({ organization_id, id }: Pick<SubscriptionRow, "organization_id" | "id">) => ({
  organizationId: organization_id,
  record: `subscriptions/${id}`,
});

const words: Record<SubscriptionState, string> = {
  PENDING_APPROVAL: "It waits for approval at the provider.",
  ACTIVE: "Approved at the provider.",
  SUSPENDED: "The provider stopped it after payments failed.",
  CANCELLED: "Cancelled.",
  EXPIRED: "It is over: it was not approved in time, or the provider knows it no longer.",
};

/** Keeps subscriptions as the provider has them: makes them there, and asks. */
export function createProviderTruth({ db, provider, vault, clock, log, portalOrigin }: ProviderTruthOptions) {
  const waysBack = (): WaysBack => ({
    returnUrl: `${portalOrigin()}/subscriptions/paypal/return`,
    cancelUrl: `${portalOrigin()}/subscriptions/paypal/return?cancelled=true`,
  });

  function approvalOf(row: SubscriptionRow, approveUrl: string | null) {
    const token = approveUrl && new URL(approveUrl).searchParams.get("ba_token");
    return {
      approve_url: approveUrl && vault.seal(approveUrl, sealedAt(row)),
      approval_hash: token ? approvalHashOf(token) : null,
    };
  }

  /** The provider's plan of a service at a price: made there when it is asked for first. */
  async function requireProviderPlan(serviceId: string, price: Money): Promise<string> {
    const { requestId, providerId } = await takeProviderPlan(db, { serviceId, price });
    if (providerId) return providerId;
    const plan = await findPlan(db, serviceId);
    if (!plan) throw new Error(`There is no plan ${serviceId}.`);
    const made = await provider.createPlan(
      { productName: brandName, name: plan.name, description: plan.description, price, trialDays: 0 },
      requestId,
    );
    await keepProviderPlan(db, requestId, made);
    return made;
  }

  /** Has the provider make it: under its id, so that however often it is tried, one is made. */
  async function begin(row: SubscriptionRow): Promise<SubscriptionRow> {
    const price = { minorUnits: row.price_minor, currency: row.price_currency };
    const planId = await requireProviderPlan(row.service_id, price);
    const order = { planId, customId: row.id, requestId: row.id, brandName, ...waysBack() };
    const made = await provider.createSubscription(order);
    const plan = await findPlan(db, row.service_id);
    return await db.transaction().execute(async (transaction) => {
      const begun = await updateSubscription(transaction, {
        organization_id: row.organization_id,
        id: row.id,
        provider_id: made.id,
        provider_plan_id: planId,
        ...approvalOf(row, made.approveUrl),
        updated_at: clock.now(),
      });
      const owner = { organizationId: row.organization_id, userId: row.user_id };
      await insertNotifications(
        transaction,
        owner,
        [paymentApproval(plan?.name ?? row.service_id)],
        clock.now(),
        row.id,
      );
      return begun;
    });
  }

  /** Whether this is the subscription that we asked for, at a plan of ours. */
  async function findMismatch(row: SubscriptionRow, seen: ProviderSubscription): Promise<string | undefined> {
    if (seen.id !== row.provider_id || seen.customId !== row.id) return "it is another one's";
    if (seen.planId === row.provider_plan_id) return undefined;
    const changed = row.state !== "PENDING_APPROVAL" && (await findPlanAtProvider(db, seen.planId));
    return changed ? undefined : "its plan is none that was asked for";
  }

  /** Writes down what was seen, unless a later question was answered meanwhile. */
  async function keep(asked: SubscriptionRow, seen: ProviderSubscription | undefined, cause: Cause) {
    const now = clock.now();
    const known = seen?.lastPayment ? await newestPayment(db, asked) : undefined;
    const isPaidAnew = seen?.lastPayment && (!known || seen.lastPayment.at > known);
    const declinedMore = (seen?.failedPayments ?? 0) > asked.failed_payments;
    // A day more on both sides: the provider's clock is another.
    const [from, to] = [asked.created_at.getTime() - dayMilliseconds, now.getTime() + dayMilliseconds];
    const payments =
      isPaidAnew || declinedMore ? await provider.listPayments(asked.provider_id!, new Date(from), new Date(to)) : [];
    const changedPlan =
      seen && seen.planId !== asked.provider_plan_id ? await findPlanAtProvider(db, seen.planId) : undefined;

    return await db.transaction().execute(async (transaction) => {
      const row = await lockSubscription(transaction, asked.organization_id, asked.id);
      if (row.answered >= asked.asked) return row;
      const standing = { state: row.state, createdAt: row.created_at, superseded: row.superseded };
      const state = stateAfter(standing, seen, now);
      const changes: Partial<SubscriptionRow> = {
        state,
        answered: asked.asked,
        updated_at: now,
        ...(state === row.state ? {} : { state_changed_at: seen?.stateChangedAt ?? now }),
        ...(seen
          ? {
              next_billing_at: seen.nextBillingAt,
              // Not told any more once it is cancelled; and what a bank declined is not paid for.
              ...(seen.nextBillingAt && seen.failedPayments === 0 ? { paid_until: seen.nextBillingAt } : {}),
              failed_payments: seen.failedPayments,
            }
          : {}),
        ...(state === "PENDING_APPROVAL" ? {} : { approve_url: null }),
        ...(changedPlan
          ? {
              service_id: changedPlan.serviceId,
              price_minor: changedPlan.price.minorUnits,
              price_currency: changedPlan.price.currency,
              provider_plan_id: seen!.planId,
            }
          : {}),
      };
      const next = { ...row, ...changes };
      changes.ask_at = nextAsk(
        { state, superseded: row.superseded, createdAt: row.created_at, hintedAt: next.hinted_at },
        now,
      );
      const kept = await updateSubscription(transaction, {
        organization_id: row.organization_id,
        id: row.id,
        ...changes,
      });
      await keepPayments(transaction, kept, payments);
      if (state !== row.state) {
        await addEntry(transaction, {
          subscription: row,
          at: now,
          state,
          text: (state === "CANCELLED" && cause.text) || words[state],
          userId: cause.userId,
        });
        await cause.record?.(transaction, { id: row.id, before: { state: row.state }, after: { state } });
        await tell(transaction, kept, now);
      }
      if (changedPlan)
        await addEntry(transaction, {
          subscription: row,
          at: now,
          state,
          text: `The plan is ${changedPlan.name} now.`,
          userId: cause.userId,
        });
      return kept;
    });
  }

  /** What the subscriber is asked for, and what is not asked for any more. */
  async function tell(transaction: Parameters<typeof insertNotifications>[0], row: SubscriptionRow, now: Date) {
    await completeOfSubscription(transaction, row.organization_id, row.id, now);
    if (row.state !== "SUSPENDED") return;
    const plan = await findPlan(transaction, row.service_id);
    const owner = { organizationId: row.organization_id, userId: row.user_id };
    await insertNotificationAnew(transaction, owner, paymentFailed(plan?.name ?? row.service_id), now, row.id);
  }

  return {
    /**
     * Asks the provider and writes down what it says.
     * @throws ProviderFailure
     */
    async ask(row: SubscriptionRow, cause: Cause): Promise<SubscriptionRow> {
      const asked = await countQuestion(db, row.organization_id, row.id);
      if (!asked.provider_id) return await begin(asked);
      const seen = await provider.findSubscription(asked.provider_id);
      const mismatch = seen && (await findMismatch(asked, seen));
      if (mismatch) {
        log.warn(
          { subscriptionId: row.id, providerId: asked.provider_id },
          `the provider's subscription does not count: ${mismatch}`,
        );
        return asked;
      }
      const standing = { state: asked.state, createdAt: asked.created_at, superseded: asked.superseded };
      if (mustBeCancelled(standing, seen))
        await provider.cancelSubscription(asked.provider_id, "Another subscription took its place");
      return await keep(asked, seen, cause);
    },

    /** Cancels it at the provider, then asks: what is cancelled already there stays so. */
    async cancel(row: SubscriptionRow, cause: Cause): Promise<SubscriptionRow> {
      if (row.provider_id && row.state !== "PENDING_APPROVAL")
        await provider.cancelSubscription(row.provider_id, "Cancelled by the customer");
      return await this.ask(row, cause);
    },
  };
}

/** A plan's price, of the decimal it is kept as. */
export const priceOf = ({ price }: { price: { amount: string; currency: string } }): Money =>
  parseMoney(price.amount, price.currency);
