import type { MonthCountTables } from "../store/month-count-tables.ts";
import type { PortalDatabase } from "../store/tables.ts";

type Count = MonthCountTables["monthly_subscriptions"];

const inOrder = (counts: Iterable<Count>) =>
  [...counts].sort((one, other) => `${one.month} ${one.currency}`.localeCompare(`${other.month} ${other.currency}`));

/** The stored counts of the months that have any. */
export async function listStoredCounts(db: PortalDatabase): Promise<Count[]> {
  const rows = await db.selectFrom("monthly_subscriptions").selectAll().execute();
  return inOrder(rows.filter(({ began, ended }) => began !== 0 || ended !== 0));
}

/** The same, counted individually from the existing subscriptions. */
export async function recount(db: PortalDatabase): Promise<Count[]> {
  const counts = new Map<string, Count>();
  function add(change: "began" | "ended", at: Date, currency: string) {
    const month = at.toISOString().slice(0, "2026-04".length);
    const count = counts.get(`${month} ${currency}`) ?? { month, currency, began: 0, ended: 0 };
    counts.set(`${month} ${currency}`, { ...count, [change]: count[change] + 1 });
  }
  for (const row of await db.selectFrom("subscriptions").selectAll().execute()) {
    if (!row.began_at) continue;
    add("began", row.began_at, row.price_currency);
    if (row.state === "CANCELLED" || row.state === "EXPIRED") add("ended", row.state_changed_at, row.price_currency);
  }
  return inOrder(counts.values());
}
