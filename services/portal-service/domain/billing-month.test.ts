import { expect, test } from "vitest";
import { monthAfter } from "./billing-month.ts";

test("a payment covers one month, up to its last day when the month lacks that day", () => {
  const table = [
    ["2026-03-31T10:00:00Z", "2026-04-30T10:00:00Z"],
    ["2026-01-30T10:00:00Z", "2026-02-28T10:00:00Z"],
    ["2028-01-30T10:00:00Z", "2028-02-29T10:00:00Z"],
    ["2026-12-05T23:59:59Z", "2027-01-05T23:59:59Z"],
  ];
  for (const [paid, until] of table) expect(monthAfter(new Date(paid!))).toEqual(new Date(until!));
});
