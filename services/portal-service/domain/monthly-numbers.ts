/** A count or a sum for a month (e.g. `2026-04`, UTC) in one currency. */
export interface OfMonth {
  month: string;
  currency: string;
  amount: number;
}

export interface MonthlyChanges {
  /** Subscriptions active before the first month, in every currency ever sold in. */
  activeBefore: Omit<OfMonth, "month">[];
  /** Subscriptions that began and ended, by price. */
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

/** The months up to that of `now`, newest first, e.g. `2026-04`. */
export function monthsUpTo(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, "2026-04".length),
  );
}

/** The following month, e.g. `2026-05`. */
export function monthAfter(month: string): string {
  const [year, number] = month.split("-").map(Number);
  return new Date(Date.UTC(year!, number!, 1)).toISOString().slice(0, month.length);
}

/** The start of a month, in RFC 3339. */
export const getMonthStart = (month: string): string => `${month}-01T00:00:00Z`;

const getSum = (amounts: OfMonth[], fits: (one: OfMonth) => boolean) =>
  amounts.filter(fits).reduce((sum, { amount }) => sum + amount, 0);

/** The numbers of each month in each currency ever sold in. */
export function monthlyNumbers(changes: MonthlyChanges, months: readonly string[]): MonthlyNumbers[] {
  const all = [...changes.activeBefore, ...changes.began, ...changes.ended, ...changes.paid, ...changes.refunded];
  const currencies = [...new Set(all.map(({ currency }) => currency))].sort();
  return months.flatMap((month) =>
    currencies.map((currency) => {
      const within = (of: OfMonth[]) => getSum(of, (one) => one.currency === currency && one.month === month);
      const before = changes.activeBefore.find((one) => one.currency === currency)?.amount ?? 0;
      const until = (of: OfMonth[]) => getSum(of, (one) => one.currency === currency && one.month <= month);
      return {
        ...{ month, currency },
        began: within(changes.began),
        ended: within(changes.ended),
        activeAtEnd: before + until(changes.began) - until(changes.ended),
        paidMinor: within(changes.paid),
        refundedMinor: within(changes.refunded),
      };
    }),
  );
}
