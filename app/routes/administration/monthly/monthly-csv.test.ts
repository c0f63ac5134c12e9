import { expect, test } from "vitest";
import { writeMonthlyCsv } from "./monthly-csv";

test("each month and currency is a line, with amounts in minor units", () => {
  const usd = (minorUnits: number) => ({ minorUnits, currency: "USD" });
  const month = { month: "2026-04", currency: "USD", began: 3, ended: 1, activeAtEnd: 7 };
  expect(writeMonthlyCsv([{ ...month, paid: usd(34_300), refunded: usd(950) }])).toBe(
    "month,currency,began,ended,active_at_end,paid_minor_units,refunded_minor_units\r\n2026-04,USD,3,1,7,34300,950\r\n",
  );
});
