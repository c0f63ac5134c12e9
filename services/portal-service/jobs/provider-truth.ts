import type { Logger } from "pino";
import { approvalEnds, mustBeCancelled } from "../domain/subscription.ts";
import { ProviderFailure, type ProviderSubscription } from "../payment/provider.ts";
import { findOpenChange, type PlanChangeRow, updateOpenChange } from "../store/plan-changes.ts";
import { findPlanAtProvider } from "../store/plans.ts";
import { addEntry, countQuestion, type SubscriptionRow } from "../store/subscriptions.ts";
import type { Cause } from "./cause.ts";
import { type Asked, createKeepTruth, type KeepTruthOptions } from "./kept-truth.ts";
import { createProviderOrders } from "./provider-orders.ts";

export interface ProviderTruthOptions extends KeepTruthOptions {
  log: Pick<Logger, "warn">;
}

export type ProviderTruth = ReturnType<typeof createProviderTruth>;

/** Keeps subscriptions as the provider has them: makes them there, and asks. */
export function createProviderTruth(options: ProviderTruthOptions) {
  const { db, provider, clock, log } = options;
  const orders = createProviderOrders(options);
  const keep = createKeepTruth(options);

  /** Whether this is the subscription that we asked for, at a plan of ours. */
  async function findMismatch(row: SubscriptionRow, seen: ProviderSubscription): Promise<string | undefined> {
    if (seen.id !== row.provider_id || seen.customId !== row.id) return "it is another one's";
    if (seen.planId === row.provider_plan_id) return undefined;
    const changed = row.state !== "PENDING_APPROVAL" && (await findPlanAtProvider(db, seen.planId));
    return changed ? undefined : "its plan is none that was asked for";
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
