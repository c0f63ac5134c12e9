import type { ServicePricing } from "#contracts/portal-service/plans.ts";

type Limits = Pick<ServicePricing["limits"], "tests" | "executionsPerMonth" | "shortestIntervalSeconds">;

export const day = 86_400;
export const week = 7 * day;
/** 30.4 days. */
export const month = 2_626_560;
/** Intervals that people schedule by, in seconds. */
const usualIntervals = [60, 300, 900, 1_800, 3_600, 6 * 3_600, 12 * 3_600, day, week, month];

const testsAt = (seconds: number, executions: number) => Math.floor((executions * seconds) / month);
const executionsOf = (tests: number, seconds: number) => Math.ceil((tests * month) / seconds);

/** Two digits are enough to compare plans. */
function roundDown(count: number): number {
  const unit = 10 ** Math.max(0, String(count).length - 2);
  return Math.floor(count / unit) * unit;
}

/**
 * How many tests a plan's executions are enough for, and how often: all tests as often as possible, but at least daily;
 * else as many as possible once a day, a week or a month. Undefined where executions are unlimited.
 */
export function findEnough(limits: Limits): { tests: number; seconds: number } | undefined {
  const { tests, executionsPerMonth: executions, shortestIntervalSeconds: shortest } = limits;
  if (executions === null) return undefined;
  const intervals = [shortest, ...usualIntervals.filter((seconds) => seconds > shortest)];
  if (tests !== null) {
    const forAll = intervals.find(
      (seconds) => (seconds <= day || seconds === shortest) && executionsOf(tests, seconds) <= executions,
    );
    if (forAll) return { tests, seconds: forAll };
  }
  // Unlimited tests: the number at five minutes, which plans can be compared by, or at the first interval for ten tests.
  const [from, least] = tests === null ? [300, 10] : [day, 1];
  const seconds = intervals.find((one) => one >= from && testsAt(one, executions) >= least) ?? month;
  const count = Math.min(tests ?? Number.POSITIVE_INFINITY, testsAt(seconds, executions));
  return { tests: count === tests ? count : roundDown(count), seconds };
}

/** The executions a month of all of a plan's tests at its shortest interval, where the plan gives fewer. */
export function findShortfall(limits: Limits): { needed: number; lacking: number } | undefined {
  const { tests, executionsPerMonth: executions, shortestIntervalSeconds: shortest } = limits;
  if (tests === null || executions === null) return undefined;
  const needed = executionsOf(tests, shortest);
  return needed > executions ? { needed, lacking: needed - executions } : undefined;
}
