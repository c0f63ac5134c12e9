import type { BillingCycle, Frequency, Money, Plan, Subscription, Transaction } from "./shapes.ts";

/** The effects of time, buyers and merchants on subscriptions at PayPal. Pure: times in, facts out. */

export type Happening =
  | {
      type:
        | "CREATED"
        | "ACTIVATED"
        | "UPDATED"
        | "EXPIRED"
        | "CANCELLED"
        | "SUSPENDED"
        | "RE-ACTIVATED"
        | "PAYMENT.FAILED";
    }
  | { type: "SALE"; transaction: Omit<Transaction, "id"> };

export interface Step {
  subscription: Subscription;
  happened: Happening[];
  transactions: Omit<Transaction, "id">[];
}

const still = (subscription: Subscription): Step => ({ subscription, happened: [], transactions: [] });

/** Sums amounts of one currency exactly, with the digits of the longer one. */
export function addMoney(one: Money, other: Money): Money {
  const getDigits = ({ value }: Money) => value.split(".")[1]?.length ?? 0;
  const digits = Math.max(getDigits(one), getDigits(other));
  const units = ({ value }: Money) => {
    const [whole = "0", part = ""] = value.split(".");
    return BigInt(`${whole || "0"}${part.padEnd(digits, "0")}`);
  };
  const sum = String(units(one) + units(other)).padStart(digits + 1, "0");
  return {
    currency_code: one.currency_code,
    value: digits === 0 ? sum : `${sum.slice(0, -digits)}.${sum.slice(-digits)}`,
  };
}

/** `count` intervals after `start`. A day that a month does not have becomes its last one. */
export function addIntervals(start: Date, { interval_unit, interval_count }: Frequency, count: number): Date {
  const steps = interval_count * count;
  const at = new Date(start);
  if (interval_unit === "DAY") at.setUTCDate(at.getUTCDate() + steps);
  if (interval_unit === "WEEK") at.setUTCDate(at.getUTCDate() + 7 * steps);
  if (interval_unit === "MONTH" || interval_unit === "YEAR") {
    const months = interval_unit === "YEAR" ? 12 * steps : steps;
    at.setUTCDate(1);
    at.setUTCMonth(at.getUTCMonth() + months);
    const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
    at.setUTCDate(Math.min(start.getUTCDate(), lastDay));
  }
  return at;
}

const getCompleted = (subscription: Subscription, { sequence }: BillingCycle) =>
  subscription.completed[String(sequence)] ?? 0;

/** The next cycle to bill; undefined after the last. */
export function currentCycle(subscription: Subscription): BillingCycle | undefined {
  return [...subscription.billing_cycles]
    .sort((one, other) => one.sequence - other.sequence)
    .find((cycle) => cycle.total_cycles === 0 || getCompleted(subscription, cycle) < cycle.total_cycles);
}

function moved(subscription: Subscription, status: Subscription["status"], at: Date, note?: string): Subscription {
  const time = at.toISOString();
  return { ...subscription, status, status_update_time: time, update_time: time, status_change_note: note };
}

/** Bills one cycle at `at`, or ends the subscription after its last one. */
function billCycle(subscription: Subscription, plan: Plan, at: Date): Step {
  const cycle = currentCycle(subscription);
  if (!cycle) {
    const expired = { ...moved(subscription, "EXPIRED", at), next_billing_time: null };
    return { subscription: expired, happened: [{ type: "EXPIRED" }], transactions: [] };
  }
  const time = at.toISOString();
  const counted = { ...subscription.completed, [String(cycle.sequence)]: getCompleted(subscription, cycle) + 1 };
  const nextBilling = addIntervals(at, cycle.frequency, 1).toISOString();
  const billed: Subscription = {
    ...subscription,
    completed: counted,
    next_billing_time: nextBilling,
    update_time: time,
  };
  const price = cycle.pricing_scheme?.fixed_price;
  if (!price || Number(price.value) === 0) return still(billed);
  if (!subscription.declines) {
    const amount = plan.payment_preferences.auto_bill_outstanding ? addMoney(price, subscription.outstanding) : price;
    const sale = { subscription_id: subscription.id, status: "COMPLETED" as const, amount, time };
    return {
      subscription: {
        ...billed,
        last_payment: { amount, time },
        outstanding: { ...price, value: "0.00" },
        failed_payments_count: 0,
      },
      happened: [{ type: "SALE", transaction: sale }],
      transactions: [sale],
    };
  }
  const failed: Subscription = {
    ...billed,
    failed_payments_count: subscription.failed_payments_count + 1,
    outstanding: addMoney(subscription.outstanding, price),
    last_failed_payment: { amount: price, time },
  };
  const threshold = plan.payment_preferences.payment_failure_threshold;
  const suspends = threshold > 0 && failed.failed_payments_count >= threshold;
  return {
    subscription: suspends ? moved(failed, "SUSPENDED", at) : failed,
    happened: [{ type: "PAYMENT.FAILED" }, ...(suspends ? [{ type: "SUSPENDED" } as const] : [])],
    transactions: [{ subscription_id: subscription.id, status: "DECLINED", amount: price, time }],
  };
}

/** Bills everything due up to `now`. */
export function settle(subscription: Subscription, plan: Plan, now: Date): Step {
  const whole = still(subscription);
  for (;;) {
    const { status, next_billing_time } = whole.subscription;
    if (status !== "ACTIVE" || !next_billing_time || new Date(next_billing_time) > now) return whole;
    const step = billCycle(whole.subscription, plan, new Date(next_billing_time));
    whole.subscription = step.subscription;
    whole.happened.push(...step.happened);
    whole.transactions.push(...step.transactions);
  }
}

/**
 * The buyer approves; `declines` means that the bank will decline payments. With CONTINUE it waits for the
 * merchant's `activate`.
 */
export function approve(
  subscription: Subscription,
  plan: Plan,
  now: Date,
  options: { declines: boolean; holds: boolean },
): Step {
  const approved = { ...moved(subscription, "APPROVED", now), approval: null, declines: options.declines };
  if (options.holds || subscription.user_action === "CONTINUE") return still(approved);
  return activate(approved, plan, now);
}

/** From APPROVED or SUSPENDED to ACTIVE. */
export function activate(subscription: Subscription, plan: Plan, now: Date, note?: string): Step {
  const type = subscription.status === "SUSPENDED" ? "RE-ACTIVATED" : "ACTIVATED";
  const active = moved(subscription, "ACTIVE", now, note);
  const due = active.next_billing_time;
  const next_billing_time = due && new Date(due) > now ? due : now.toISOString();
  const step = settle({ ...active, next_billing_time, failed_payments_count: 0 }, plan, now);
  return { ...step, happened: [{ type }, ...step.happened] };
}

export function suspend(subscription: Subscription, now: Date, note: string | undefined): Step {
  return { ...still(moved(subscription, "SUSPENDED", now, note)), happened: [{ type: "SUSPENDED" }] };
}

export function cancel(subscription: Subscription, now: Date, note: string | undefined): Step {
  const cancelled = { ...moved(subscription, "CANCELLED", now, note), next_billing_time: null, revision: null };
  return { ...still(cancelled), happened: [{ type: "CANCELLED" }] };
}

/** The buyer approves another plan: its prices apply from the next billing on. */
export function changePlan(subscription: Subscription, plan: Plan, now: Date): Step {
  const changed: Subscription = {
    ...subscription,
    plan_id: plan.id,
    billing_cycles: plan.billing_cycles,
    completed: {},
    revision: null,
    update_time: now.toISOString(),
  };
  return { ...still(changed), happened: [{ type: "UPDATED" }] };
}
