/** A count or a sum of a month, as in `2026-04` in UTC, in one currency. */
export interface OfMonth {
  month: string;
  currency: string;
  amount: number;
}

export interface MonthlyFacts {
  /** Subscriptions that began, and those that ended, by what they cost. */
  began: OfMonth[];
  ended: OfMonth[];
  /** In minor units. */
  paid: OfMonth[];
  refunded: OfMonth[];
}

export interface MonthlyNumbers {
  month: string;
  currency: string;
  began: number;
  ended: number;
  activeAtEnd: number;
  paidMinor: number;
  refundedMinor: number;
}

/** The months up to the one of `now`, the newest first, as in `2026-04`. */
export function monthsUpTo(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, "2026-04".length),
  );
}

const sumOf = (facts: OfMonth[], fits: (one: OfMonth) => boolean) =>
  facts.filter(fits).reduce((sum, { amount }) => sum + amount, 0);

/** What each month was like, in each currency that anything was ever sold in. */
export function monthlyNumbers(facts: MonthlyFacts, months: readonly string[]): MonthlyNumbers[] {
  const all = [...facts.began, ...facts.ended, ...facts.paid, ...facts.refunded];
  const currencies = [...new Set(all.map(({ currency }) => currency))].sort();
  return months.flatMap((month) =>
    currencies.map((currency) => {
      const within = (of: OfMonth[]) => sumOf(of, (one) => one.currency === currency && one.month === month);
      const until = (of: OfMonth[]) => sumOf(of, (one) => one.currency === currency && one.month <= month);
      return {
        ...{ month, currency },
        began: within(facts.began),
        ended: within(facts.ended),
        activeAtEnd: until(facts.began) - until(facts.ended),
        paidMinor: within(facts.paid),
        refundedMinor: within(facts.refunded),
      };
    }),
  );
}
