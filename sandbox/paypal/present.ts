import { currentCycle } from "./lifecycle.ts";
import type { Plan, Product, Subscription, Transaction } from "./shapes.ts";

/** PayPal's responses for stored documents. */

const link = (href: string, rel: string, method: string) => ({ href, rel, method });

export function showProduct(product: Product, base: string) {
  return { ...product, links: [link(`${base}/v1/catalogs/products/${product.id}`, "self", "GET")] };
}

export function showPlan(plan: Plan, base: string) {
  return { ...plan, links: [link(`${base}/v1/billing/plans/${plan.id}`, "self", "GET")] };
}

export const approvalPath = "/webapps/billing/subscriptions";
export const revisionPath = `${approvalPath}/update`;

const approvalAddress = (publicBase: string, ba_token: string) => `${publicBase}${approvalPath}?ba_token=${ba_token}`;

export function showSubscription(
  subscription: Subscription,
  locations: { base: string; publicBase: string },
  plan?: Plan,
) {
  const { id, plan_id, custom_id, status, status_change_note, status_update_time } = subscription;
  const self = `${locations.base}/v1/billing/subscriptions/${id}`;
  const { approval, outstanding, failed_payments_count, last_payment, last_failed_payment } = subscription;
  const isBilled = status !== "APPROVAL_PENDING" && status !== "APPROVED";
  const cycle = currentCycle(subscription);
  return {
    id,
    plan_id,
    ...(custom_id ? { custom_id } : {}),
    status,
    ...(status_change_note ? { status_change_note } : {}),
    status_update_time,
    start_time: subscription.start_time,
    create_time: subscription.create_time,
    update_time: subscription.update_time,
    quantity: "1",
    plan_overridden: false,
    subscriber: { email_address: "buyer@sandbox.example", payer_id: "SANDBOXBUYER1" },
    ...(plan ? { plan: { ...plan, id: undefined, product_id: plan.product_id } } : {}),
    ...(isBilled
      ? {
          billing_info: {
            outstanding_balance: outstanding,
            failed_payments_count,
            cycle_executions: subscription.billing_cycles.map(({ sequence, tenure_type, total_cycles }) => ({
              sequence,
              tenure_type,
              total_cycles,
              cycles_completed: subscription.completed[String(sequence)] ?? 0,
            })),
            ...(last_payment ? { last_payment } : {}),
            ...(last_failed_payment ? { last_failed_payment } : {}),
            ...(subscription.next_billing_time && cycle ? { next_billing_time: subscription.next_billing_time } : {}),
          },
        }
      : {}),
    links: [
      ...(approval ? [link(approvalAddress(locations.publicBase, approval.ba_token), "approve", "GET")] : []),
      link(self, "edit", "PATCH"),
      link(self, "self", "GET"),
    ],
  };
}

/** The plan that awaits the buyer's approval, instead of the billed one. */
export function showRevision(
  { id }: Subscription,
  { plan_id, ba_token }: { plan_id: string; ba_token: string },
  { base, publicBase }: { base: string; publicBase: string },
) {
  const self = `${base}/v1/billing/subscriptions/${id}`;
  return {
    plan_id,
    plan_overridden: false,
    links: [
      link(`${publicBase}${revisionPath}?ba_token=${ba_token}`, "approve", "GET"),
      link(self, "edit", "PATCH"),
      link(self, "self", "GET"),
      link(`${self}/cancel`, "cancel", "POST"),
      link(`${self}/suspend`, "suspend", "POST"),
    ],
  };
}

export function showTransaction({ id, status, amount, time }: Transaction) {
  return {
    id,
    status,
    amount_with_breakdown: { gross_amount: amount, net_amount: amount },
    payer_name: { given_name: "Sandbox", surname: "Buyer" },
    payer_email: "buyer@sandbox.example",
    time,
  };
}
