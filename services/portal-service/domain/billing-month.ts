/** The end of the month that a payment pays for, in UTC as the provider bills. A day that a month lacks is its last one. */
export function monthAfter(paidAt: Date): Date {
  const end = new Date(paidAt);
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + 1);
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(paidAt.getUTCDate(), lastDay));
  return end;
}
