/**
 * The end of the month that a payment covers, in UTC as the provider bills. A day that the month lacks becomes its
 * last one.
 */
export function monthAfter(paidAt: Date): Date {
  const end = new Date(paidAt);
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + 1);
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(paidAt.getUTCDate(), lastDay));
  return end;
}
