import type { ServicePricing } from "#contracts/portal-service/plans.ts";
import { formatCount } from "~/ui/count/format-count";
import { plural } from "~/ui/count/plural";

export type PlanLimits = ServicePricing["limits"];

function counted(count: number | null, one: string, many: string): string {
  if (count === null) return `Unlimited ${many}`;
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

const steps = [
  { seconds: 86_400, one: "day", many: "days" },
  { seconds: 3_600, one: "hour", many: "hours" },
  { seconds: 60, one: "minute", many: "minutes" },
];

/** `every hour`, `every 30 seconds`. */
export function intervalWords(seconds: number): string {
  const step = steps.find((candidate) => seconds % candidate.seconds === 0) ?? {
    seconds: 1,
    one: "second",
    many: "seconds",
  };
  const count = seconds / step.seconds;
  return count === 1 ? `every ${step.one}` : `every ${formatCount(count)} ${step.many}`;
}

function retentionWords(days: number): string {
  if (days % 365 === 0) return days === 365 ? "one year" : `${days / 365} years`;
  return days === 1 ? "one day" : `${formatCount(days)} days`;
}

/** The limits of a plan, one per line, the most asked for first. */
export function limitWords(limits: PlanLimits): string[] {
  return [
    counted(limits.apis, "API", "APIs"),
    counted(limits.tests, "test", "tests"),
    counted(limits.executionsPerMonth, "execution a month", "executions a month"),
    `Scheduled runs as often as ${intervalWords(limits.shortestIntervalSeconds)}`,
    counted(limits.members, "member", "members"),
    `Results kept for ${retentionWords(limits.retentionDays)}`,
  ];
}

/** One per currency: creating a formatter takes longer than all of its formatting. */
const formats = new Map<string, Record<"short" | "exact", Intl.NumberFormat>>();

function getFormats(currency: string) {
  const made = formats.get(currency);
  if (made) return made;
  const style = { style: "currency", currency } as const;
  const short = new Intl.NumberFormat("en", { ...style, trailingZeroDisplay: "stripIfInteger" } as typeof style);
  const both = { short, exact: new Intl.NumberFormat("en", style) };
  formats.set(currency, both);
  return both;
}

/** `$49`, `€49.50`; cents only if not zero. */
export function amountWords({ amount, currency }: Pick<ServicePricing["price"], "amount" | "currency">): string {
  return getFormats(currency).short.format(Number(amount));
}

/** `$49 a month`, or `Free`. */
export function priceWords(price: ServicePricing["price"]): string {
  return Number(price.amount) === 0 ? "Free" : `${amountWords(price)} a ${price.interval}`;
}

/** `14 days free`. */
export const trialWords = (days: number): string => `${plural(days, "day")} free`;

/** `$49 a month`, `14 days free, then $49 a month`, or `Free`. */
export function offerWords({ price, trialDays }: Pick<ServicePricing, "price" | "trialDays">): string {
  return trialDays > 0 ? `${trialWords(trialDays)}, then ${priceWords(price)}` : priceWords(price);
}

/** An amount stored in the smallest unit of its currency, as a number to display or compare. */
export function toDecimal({ minorUnits, currency }: { minorUnits: number; currency: string }): number {
  const { maximumFractionDigits = 2 } = getFormats(currency).exact.resolvedOptions();
  return minorUnits / 10 ** maximumFractionDigits;
}

/** `$49.00`: a payment, always with its decimals. */
export function moneyWords(money: { minorUnits: number; currency: string }): string {
  return getFormats(money.currency).exact.format(toDecimal(money));
}
