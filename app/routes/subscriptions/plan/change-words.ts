import type { ServicePricing } from "#contracts/portal-service/plans.ts";
import type { Subscription } from "#contracts/portal-service/subscriptions.ts";
import { amountWords, moneyWords, toDecimal } from "~/features/plans/plan-words";
import type { DayWords } from "~/features/time-zone/day-words";

export interface Change {
  kind: "upgrade" | "downgrade" | "keep" | "cancel";
  planName: string;
  title: string;
  /** Price of the new plan, e.g. `$49`. */
  amount: string;
  /** Why the change is not possible now, and what to do; undefined where it is possible. */
  obstacle?: string;
}

/** The consequences of changing a subscription to another plan. */
export function findChange(
  subscription: Subscription,
  plan: Pick<ServicePricing, "serviceId" | "name"> & { price: Pick<ServicePricing["price"], "amount" | "currency"> },
): Change {
  const { state, serviceId, plannedChange, price, isCancelling } = subscription;
  const [planName, amount] = [plan.name, amountWords(plan.price)];
  const isFree = Number(plan.price.amount) === 0;
  if (isFree) {
    const isOver = isCancelling || state === "CANCELLED" || state === "EXPIRED";
    const obstacle = isOver ? "This subscription is cancelled already: nothing more is charged." : undefined;
    return { kind: "cancel", planName, amount, title: `Change to ${planName}`, obstacle };
  }
  const obstacle = getObstacle(subscription);
  if (plan.serviceId === serviceId) {
    const already = plannedChange ? undefined : `${planName} is already your plan.`;
    return { kind: "keep", planName, amount, title: `Keep ${planName}`, obstacle: obstacle ?? already };
  }
  const isPlanned = plannedChange?.serviceId === plan.serviceId;
  const isUpgrade = Number(plan.price.amount) > toDecimal(price);
  return {
    kind: isUpgrade ? "upgrade" : "downgrade",
    planName,
    amount,
    title: `Change to ${planName}`,
    obstacle: obstacle ?? (isPlanned ? `${planName} is already planned.` : undefined),
  };
}

function getObstacle({ state, isCancelling, heldBecause }: Subscription): string | undefined {
  if (isCancelling)
    return "This subscription is being cancelled. Once it is, subscribe to the plan on the billing page.";
  if (state === "SUSPENDED" && heldBecause !== null)
    return `The portal's operator suspended this subscription: ${heldBecause} You can change the plan once it is active again.`;
  if (state === "SUSPENDED")
    return "Payments failed. Resolve this at PayPal, then press “Check with PayPal” on the subscription's page. After that, you can change the plan.";
  if (state === "PENDING_APPROVAL")
    return "This subscription is waiting for your approval. Approve it first, or subscribe to the other plan on the billing page, which replaces this one.";
  if (state !== "ACTIVE") return "This subscription has ended. Subscribe to the plan on the billing page.";
  return undefined;
}

/** When the plan takes effect and which amounts are charged when, one sentence per line. */
export function whenWords(subscription: Subscription, change: Change, getDay: DayWords): string[] {
  const { serviceName, nextBillingAt, price, state, isOnTrial } = subscription;
  const why = isOnTrial ? "when your trial ends" : "because it is paid for";
  const day = nextBillingAt ? getDay(nextBillingAt) : undefined;
  const { planName, amount } = change;
  switch (change.kind) {
    case "cancel":
      if (state === "PENDING_APPROVAL")
        return ["You have not approved it yet, so nothing was charged and nothing is lost."];
      return [
        "The subscription is cancelled at PayPal immediately, and nothing more is charged. This can't be undone.",
        day && state === "ACTIVE"
          ? `You keep ${serviceName} until ${day}, ${why}. After that, you have ${planName}.`
          : `After that, you have ${planName}.`,
      ];
    case "keep":
      return [
        `At PayPal, approve ${serviceName} for ${moneyWords(price)} a month. The planned change is then cancelled.`,
        "Nothing is charged before the next payment is due.",
      ];
    case "upgrade":
      return [
        `${planName} takes effect as soon as you approve it at PayPal.`,
        day
          ? `Nothing is charged today. The next payment, on ${day}, is ${amount}.`
          : `Nothing is charged today. The next payment is ${amount}.`,
      ];
    case "downgrade":
      return [
        `You approve the change at PayPal. Nothing is charged today${day ? `, and you keep ${serviceName} until ${day}, ${why}.` : `, and ${planName} takes effect then.`}`,
        day ? `After that, you have ${planName} for ${amount} a month. Until then, you can change your mind.` : "",
      ].filter(Boolean);
  }
}
