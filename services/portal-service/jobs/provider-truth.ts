import type { Logger } from "pino";
import { approvalEnds, mustBeCancelled } from "../domain/subscription.ts";
import { ProviderFailure, type ProviderSubscription } from "../payment/provider.ts";
import { findOpenChange, type PlanChangeRow, updateOpenChange } from "../store/plan-changes.ts";
import { findPlanAtProvider } from "../store/plans.ts";
import { addEntry, countQuestion, type SubscriptionRow } from "../store/subscriptions.ts";
import type { Cause } from "./cause.ts";
import { createProviderOrders } from "./provider-orders.ts";
import { type CheckedRow, createKeepTruth, type KeepTruthOptions } from "./provider-truth-keeper.ts";

export interface ProviderTruthOptions extends KeepTruthOptions {
  log: Pick<Logger, "warn">;
}

export type ProviderTruth = ReturnType<typeof createProviderTruth>;

/** Synchronizes subscriptions with the provider: creates them there, and reads their state. */
export function createProviderTruth(options: ProviderTruthOptions) {
  const { db, provider, clock, log } = options;
  const orders = createProviderOrders(options);
  const keep = createKeepTruth(options);

  /** Whether this is the requested subscription, to a plan of this installation. */
  async function findMismatch(row: SubscriptionRow, seen: ProviderSubscription): Promise<string | undefined> {
    if (seen.id !== row.provider_id || seen.customId !== row.id) return "it is another one's";
    if (seen.planId === row.provider_plan_id) return undefined;
    const changed = row.state !== "PENDING_APPROVAL" && (await findPlanAtProvider(db, seen.planId));
    return changed ? undefined : "its plan is none that was asked for";
  }

  /** Cancels it at the provider, which refuses for an ended one; it stays ended. */
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
    /**
     * Creates a service's plan at a price at the provider, unless it exists.
     * @throws ProviderFailure
     */
    ensurePlan: orders.requireProviderPlan,

    /**
     * Reads the provider's state and stores it, after sending pending creations and cancellations.
     * @throws ProviderFailure
     */
    async ask(row: SubscriptionRow, cause: Cause): Promise<SubscriptionRow> {
      const requested: CheckedRow = { ...(await countQuestion(db, row.organization_id, row.id)), askedAt: clock.now() };
      if (!requested.provider_id) {
        // The provider has forgotten the request id by then: a retry could create a second one.
        const isOver = requested.state !== "PENDING_APPROVAL" || clock.now() >= approvalEnds(requested.created_at);
        return isOver ? await keep(requested, undefined, cause) : await orders.subscribe(requested);
      }
      const seen = await provider.findSubscription(requested.provider_id);
      const mismatch = seen && (await findMismatch(requested, seen));
      if (mismatch) {
        log.warn(
          { subscriptionId: row.id, providerId: requested.provider_id },
          `the provider's subscription does not count: ${mismatch}`,
        );
        return await keep(requested, undefined, cause, { isAnother: true });
      }
      const { superseded, cancel_asked_at: cancelRequestedAt } = requested;
      if (mustBeCancelled({ superseded, cancelRequestedAt: cancelRequestedAt }, seen)) {
        const reason = superseded ? "Another subscription took its place" : "Cancelled by the customer";
        return await keep(requested, await cancel(requested.provider_id, reason), cause);
      }
      const stored = await keep(requested, seen, cause);
      const open = stored.state === "ACTIVE" && (await findOpenChange(db, stored.organization_id, stored.id));
      if (open && open.provider_plan_id === null) await this.changePlan(stored, open, cause);
      return stored;
    },

    /**
     * Requests another plan from the provider: under the change's id, so that repeated calls request one. A refused
     * change is abandoned.
     * @throws ProviderFailure
     */
    async changePlan(row: SubscriptionRow, change: PlanChangeRow, cause: Cause): Promise<void> {
      try {
        const waits = await orders.changePlan(row, change);
        // Some payment methods need no new approval: then the provider already bills the plan.
        if (!waits) await this.ask(row, cause);
      } catch (error) {
        if (!(error instanceof ProviderFailure) || error.kind !== "refused") throw error;
        await giveUpChange(row, change, "PayPal refuses this change of plan.");
        throw error;
      }
    },
  };
}
