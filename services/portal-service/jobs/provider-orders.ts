import { createHash } from "node:crypto";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Vault } from "../../kit/vault/vault.ts";
import { type Money, parseMoney } from "../domain/money.ts";
import { paymentApproval } from "../domain/welcome-notifications.ts";
import type { PaymentProvider, WaysBack } from "../payment/provider.ts";
import { insertNotifications } from "../store/notifications.ts";
import { type PlanChangeRow, toPricedPlan, updateOpenChange } from "../store/plan-changes.ts";
import { findPlan } from "../store/plans.ts";
import { keepProviderPlan, type Offer, takeProviderPlan } from "../store/provider-plans.ts";
import { lockSubscription, type SubscriptionRow, updateSubscription } from "../store/subscriptions.ts";
import type { PortalDatabase } from "../store/tables.ts";

export interface ProviderOrderOptions {
  db: PortalDatabase;
  provider: PaymentProvider;
  vault: Vault;
  clock: Clock;
  /** The portal's address for users. */
  portalOrigin(): string;
}

const brandName = "API Assurance";
const productId = "API-ASSURANCE";

export const toApprovalHash = (token: string): string => createHash("sha256").update(token).digest("base64url");

interface Sealed {
  organization_id: string;
  id: string;
}

/** The location of a subscription's sealed approval address. */
export const sealedAt = ({ organization_id, id }: Sealed) => ({
  organizationId: organization_id,
  record: `subscriptions/${id}`,
});

/** The same for a plan change. */
export const changeSealedAt = ({ organization_id, id }: Sealed) => ({
  organizationId: organization_id,
  record: `plan-changes/${id}`,
});

/** A plan's price, from the stored decimal. */
export const toPrice = ({ price }: { price: { amount: string; currency: string } }): Money =>
  parseMoney(price.amount, price.currency);

/**
 * Creates at the provider what was stored here first: each order has its own id, so repeated calls create one. Every
 * call may throw ProviderFailure.
 */
export function createProviderOrders({ db, provider, vault, clock, portalOrigin }: ProviderOrderOptions) {
  const waysBack = (): WaysBack => ({
    returnUrl: `${portalOrigin()}/subscriptions/paypal/return`,
    cancelUrl: `${portalOrigin()}/subscriptions/paypal/return?cancelled=true`,
  });

  function getApproval(approveUrl: string | null, location: { organizationId: string; record: string }) {
    const token = approveUrl && new URL(approveUrl).searchParams.get("ba_token");
    return {
      approve_url: approveUrl && vault.seal(approveUrl, location),
      approval_hash: token ? toApprovalHash(token) : null,
    };
  }

  /** The provider's plan for an offer, created at its first use. */
  async function requireProviderPlan({ serviceId, price, trialDays }: Offer): Promise<string> {
    const { requestId, providerId } = await takeProviderPlan(db, { serviceId, price, trialDays });
    if (providerId) return providerId;
    const plan = await findPlan(db, serviceId);
    if (!plan) throw new Error(`There is no plan ${serviceId}.`);
    const made = await provider.createPlan(
      { productId, productName: brandName, name: plan.name, description: plan.description, price, trialDays },
      requestId,
    );
    await keepProviderPlan(db, requestId, made);
    return made;
  }

  return {
    requireProviderPlan,

    async subscribe(row: SubscriptionRow): Promise<SubscriptionRow> {
      const price = { minorUnits: row.price_minor, currency: row.price_currency };
      const planId = await requireProviderPlan({ serviceId: row.service_id, price, trialDays: row.trial_days });
      const order = { planId, customId: row.id, requestId: row.id, brandName, ...waysBack() };
      const made = await provider.createSubscription(order);
      const plan = await findPlan(db, row.service_id);
      return await db.transaction().execute(async (transaction) => {
        const { state } = await lockSubscription(transaction, row.organization_id, row.id);
        // Abandoned while the provider was creating it: no longer offered for approval.
        const isWanted = state === "PENDING_APPROVAL";
        const begun = await updateSubscription(transaction, {
          organization_id: row.organization_id,
          id: row.id,
          provider_id: made.id,
          provider_plan_id: planId,
          ...(isWanted ? getApproval(made.approveUrl, sealedAt(row)) : {}),
          updated_at: clock.now(),
        });
        if (!isWanted) return begun;
        const owner = { organizationId: row.organization_id, userId: row.user_id };
        const wording = paymentApproval(plan?.name ?? row.service_id, row.trial_days);
        await insertNotifications(transaction, owner, [wording], clock.now(), row.id);
        return begun;
      });
    },

    /** @returns whether its buyer has to approve it; otherwise it is already in effect */
    async changePlan(row: SubscriptionRow, change: PlanChangeRow): Promise<boolean> {
      const { serviceId, price } = toPricedPlan(change);
      // A change keeps the rest of a trial, and starts no new one.
      const planId = await requireProviderPlan({ serviceId, price, trialDays: 0 });
      const approveUrl = await provider.changePlan(row.provider_id!, { planId, requestId: change.id, ...waysBack() });
      await updateOpenChange(db, {
        organization_id: change.organization_id,
        id: change.id,
        provider_plan_id: planId,
        ...getApproval(approveUrl, changeSealedAt(change)),
        updated_at: clock.now(),
      });
      return approveUrl !== null;
    },
  };
}
