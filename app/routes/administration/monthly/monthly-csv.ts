import type { ReportedMonth } from "#contracts/portal-service/monthly-numbers.ts";

const columns = ["month", "currency", "began", "ended", "active_at_end", "paid_minor_units", "refunded_minor_units"];

/** One line per month and currency (RFC 4180); amounts in the currency's minor unit, so that nothing is rounded. */
export function writeMonthlyCsv(months: readonly ReportedMonth[]): string {
  const rows = months.map(({ month, currency, began, ended, activeAtEnd, paid, refunded }) => [
    ...[month, currency, began, ended, activeAtEnd],
    ...[paid.minorUnits, refunded.minorUnits],
  ]);
  return [columns, ...rows].map((cells) => `${cells.join(",")}\r\n`).join("");
}
