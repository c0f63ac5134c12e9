import type { MeasuredLevel, ServiceLevelInput } from "#contracts/test-analyzer/service-levels.ts";
import type { OutcomeCount } from "#contracts/test-executioner/counts.ts";

const hourMilliseconds = 3_600_000;
const minutesOfDay = 1_440;

/** Burn rates are measured over these last hours. */
export const burnHours = [1, 6, 72] as const;
/** Share of the budget that a fast burn consumes in these hours. */
const fast = { 1: 0.02, 6: 0.05 } as const;

export interface Results {
  good: number;
  bad: number;
}

/**
 * The start of a window of these hours. Aligned to a whole hour, since results are counted per hour, so the window is
 * up to an hour longer.
 */
export function windowStart(now: Date, hours: number): Date {
  return new Date((Math.floor(now.getTime() / hourMilliseconds) - hours) * hourMilliseconds);
}

/** Good and bad results of these steps in total. */
export function goodAndBad(steps: readonly OutcomeCount[], counts: ServiceLevelInput["counts"]): Results {
  const results = { good: 0, bad: 0 };
  for (const step of steps) {
    results.good += counts === "passRate" ? step.passed : step.available;
    results.bad += counts === "passRate" ? step.notPassed : step.unavailable;
  }
  return results;
}

/**
 * The status of a service level.
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
    isFast: isAtLeast(hour, getLimit(1, days)) || isAtLeast(sixHours, getLimit(6, days)),
    exhaustedInMinutes: left > 0 && pace > 1 ? (left * days * minutesOfDay) / pace : null,
  };
}

/** The share of bad results, divided by the share that the objective allows. */
function burnRate({ good, bad }: Results, mayBeBad: number): number | null {
  return good + bad === 0 ? null : rounded(bad / (good + bad) / mayBeBad);
}

/** The burn rate that consumes the fast share of a budget of these days in these hours: 14.4 and 6 for 30 days. */
const getLimit = (hours: keyof typeof fast, days: number) => rounded((fast[hours] * days * 24) / hours);

/** The allowed share is no exact binary fraction; without rounding, rates equal to a limit would miss it. */
const rounded = (rate: number) => Math.round(rate * 1e6) / 1e6;

/** A complete run of a circle that has ended. */
export interface EndedRun {
  finishedAt: string;
  passed: number;
  notPassed: number;
}

/** Each long window has a short one, which shows whether the burn continues: minutes by hours of the long window. */
const shortMinutes = { 1: 5, 6: 30 } as const;

/**
 * Whether a budget burns fast enough for an alert (Site Reliability Workbook, chapter 5): the limit is exceeded in a
 * long window and in its short one. The short windows use complete runs, since results are counted per hour; when none
 * ended in the window, the last run is used, since otherwise a circle that runs hourly would never raise an alert.
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
    const limit = getLimit(hours, days);
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
