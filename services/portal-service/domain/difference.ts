import type { differenceSubjects } from "#contracts/portal-service/differences.ts";
import type { Money } from "./money.ts";
import { toDecimal } from "./money.ts";
import type { SubscriptionState } from "./subscription.ts";

/** A field of a subscription whose value changed in the provider's response. */
export interface Difference {
  subject: (typeof differenceSubjects)[number];
  /** For a payment, its id. */
  id: string | null;
  /** A state, a moment (RFC 3339), an amount such as `49.00 USD`, a count or an id; null for none. */
  before: string | null;
  after: string | null;
}

/** A subscription with its payments at one moment. */
export interface Known {
  state: SubscriptionState;
  serviceId: string;
  price: Money;
  nextBillingAt: Date | null;
  paidUntil: Date | null;
  failedPayments: number;
  payments: { id: string; state: string; amount: Money }[];
}

const written = (money: Money) => `${toDecimal(money)} ${money.currency}`;

/** The changes made by the provider's response. */
export function differencesBetween(before: Known, after: Known): Difference[] {
  const facts = ({ state, serviceId, price, nextBillingAt, paidUntil, failedPayments }: Known) =>
    ({
      state,
      plan: serviceId,
      price: written(price),
      nextPayment: nextBillingAt?.toISOString() ?? null,
      paidUntil: paidUntil?.toISOString() ?? null,
      failedPayments: String(failedPayments),
    }) satisfies Record<Exclude<Difference["subject"], "payment">, string | null>;
  const [was, is] = [facts(before), facts(after)];
  const changed = (Object.keys(is) as (keyof typeof is)[])
    .filter((subject) => was[subject] !== is[subject])
    .map((subject) => ({ subject, id: null, before: was[subject], after: is[subject] }));
  const known = new Map(before.payments.map((payment) => [payment.id, payment]));
  const payments = after.payments.flatMap(({ id, state, amount }): Difference[] => {
    const earlier = known.get(id);
    if (earlier?.state === state) return [];
    const say = (of: string) => `${of} ${written(amount)}`;
    return [{ subject: "payment", id, before: earlier ? say(earlier.state) : null, after: say(state) }];
  });
  return [...changed, ...payments];
}
