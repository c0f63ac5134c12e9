import type { MeasuredLevel, ServiceLevelInput } from "#contracts/test-analyzer/service-levels.ts";
import type { OutcomeCount } from "#contracts/test-executioner/counts.ts";

const hourMilliseconds = 3_600_000;
const minutesOfDay = 1_440;

/** Burn rates are told of these last hours. */
export const burnHours = [1, 6, 72] as const;
/** Share of the budget that goes in so many hours where it burns fast. */
const fast = { 1: 0.02, 6: 0.05 } as const;

export interface Results {
  good: number;
  bad: number;
}

/**
 * When the window of so many hours begins: with a whole hour, since results are counted by these, so it lasts up to an
 * hour longer.
 */
export function windowStart(now: Date, hours: number): Date {
  return new Date((Math.floor(now.getTime() / hourMilliseconds) - hours) * hourMilliseconds);
}

/** What was good and what was bad in these steps together. */
export function goodAndBad(steps: readonly OutcomeCount[], counts: ServiceLevelInput["counts"]): Results {
  const results = { good: 0, bad: 0 };
  for (const step of steps) {
    results.good += counts === "passRate" ? step.passed : step.available;
    results.bad += counts === "passRate" ? step.notPassed : step.unavailable;
  }
  return results;
}

/**
 * How a service level stands.
 * @param whole results of all its days
 * @param recent results of each of `burnHours`
 */
export function measureLevel(
  { objective, days }: Pick<ServiceLevelInput, "objective" | "days">,
  whole: Results,
  recent: readonly Results[],
): MeasuredLevel {
  const mayBeBad = (100 - objective) / 100;
  const all = whole.good + whole.bad;
  const minutes = days * minutesOfDay * mayBeBad;
  const left = all === 0 ? 1 : 1 - whole.bad / (all * mayBeBad);
  const burn = burnHours.map((hours, index) => ({ hours, rate: burnRate(recent[index]!, mayBeBad) }));
  const [hour, sixHours, threeDays] = burn.map(({ rate }) => rate);
  const pace = sixHours ?? threeDays ?? 0;
  return {
    ...whole,
    share: all === 0 ? null : whole.good / all,
    budget: all === 0 ? null : { allowed: all * mayBeBad, left, minutes, minutesLeft: Math.max(0, left) * minutes },
    burn,
    isFast: isAtLeast(hour, limitOf(1, days)) || isAtLeast(sixHours, limitOf(6, days)),
    exhaustedInMinutes: left > 0 && pace > 1 ? (left * days * minutesOfDay) / pace : null,
  };
}

/** The share that was bad, divided by the share that may be. */
function burnRate({ good, bad }: Results, mayBeBad: number): number | null {
  return good + bad === 0 ? null : rounded(bad / (good + bad) / mayBeBad);
}

/** The burn rate by which so much of a budget of these days goes in so many hours: 14.4 and 6 for 30 days. */
const limitOf = (hours: keyof typeof fast, days: number) => rounded((fast[hours] * days * 24) / hours);

/** Since the share that may be bad is no exact number: limits are to be met by what meets them. */
const rounded = (rate: number) => Math.round(rate * 1e6) / 1e6;

/** A whole run of a circle that has ended. */
export interface EndedRun {
  finishedAt: string;
  passed: number;
  notPassed: number;
}

/** Beside each long window a short one, by which it is known whether the burn goes on: minutes by the long one's hours. */
const shortMinutes = { 1: 5, 6: 30 } as const;

/**
 * Whether a budget burns so fast that somebody is to be told (Site Reliability Workbook, chapter 5): the limit is passed
 * in a long window and in a short one too. The short ones are of whole runs, since results are counted by hours; where
 * none ended in it, the last one stands for it, or a circle that is run each hour would never be told of.
 * @param runs newest first
 */
export function burnsFast(
  { objective, days }: Pick<ServiceLevelInput, "objective" | "days">,
  burn: MeasuredLevel["burn"],
  runs: readonly EndedRun[],
  now: Date,
): boolean {
  const mayBeBad = (100 - objective) / 100;
  return ([1, 6] as const).some((hours) => {
    const limit = limitOf(hours, days);
    const since = now.getTime() - shortMinutes[hours] * 60_000;
    const recent = runs.filter(({ finishedAt }, index) => index === 0 || Date.parse(finishedAt) >= since);
    const good = recent.reduce((sum, { passed }) => sum + passed, 0);
    const bad = recent.reduce((sum, { notPassed }) => sum + notPassed, 0);
    const long = burn.find((window) => window.hours === hours)?.rate;
    return isAtLeast(long, limit) && isAtLeast(burnRate({ good, bad }, mayBeBad), limit);
  });
}

function isAtLeast(rate: number | null | undefined, limit: number): boolean {
  return rate !== null && rate !== undefined && rate >= limit;
}
