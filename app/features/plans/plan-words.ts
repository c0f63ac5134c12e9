import type { ServicePricing } from "#contracts/portal-service/plans.ts";
import { formatCount } from "~/ui/count/format-count";
import { plural } from "~/ui/count/plural";
import { day, findEnough, findShortfall, month, week } from "./enough-for";

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

/** `once a day`; otherwise `every hour`. */
function frequencyWords(seconds: number): string {
  const once = { [day]: "once a day", [week]: "once a week", [month]: "once a month" }[seconds];
  return once ?? intervalWords(seconds);
}

/** `Enough for 25 tests every hour`; undefined where executions are unlimited. */
export function enoughWords(limits: PlanLimits): string | undefined {
  const enough = findEnough(limits);
  return enough && `Enough for ${plural(enough.tests, "test")} ${frequencyWords(enough.seconds)}`;
}

/** A warning for the operator, where all tests at the shortest interval need more executions than the plan gives. */
export function shortfallWords(limits: PlanLimits): string | undefined {
  const shortfall = findShortfall(limits);
  if (!shortfall || limits.tests === null) return undefined;
  const { needed, lacking } = shortfall;
  const all = limits.tests === 1 ? "One test" : `All ${formatCount(limits.tests)} tests`;
  return `${all} ${frequencyWords(limits.shortestIntervalSeconds)} would need ${plural(needed, "execution")} a month: ${formatCount(lacking)} more than the plan gives. ${enoughWords(limits)}.`;
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
    enoughWords(limits) ?? [],
    `Scheduled runs as often as ${intervalWords(limits.shortestIntervalSeconds)}`,
    counted(limits.members, "member", "members"),
    `Results kept for ${retentionWords(limits.retentionDays)}`,
  ].flat();
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
