import type { TrendStep as Step, TrendPoint } from "../../test-executioner/contract/counts.ts";

const stepMilliseconds: Record<Step, number> = { hour: 3_600_000, day: 86_400_000 };

/** Start of the first step of a period that ends now; whole steps in UTC, the running one included. */
export function startOfPeriod(now: Date, days: number, step: Step): Date {
  const length = stepMilliseconds[step];
  const current = Math.floor(now.getTime() / length) * length;
  return new Date(current - (days * stepMilliseconds.day - length));
}

/** A point for every step from `from` to now, empty where nothing ran. */
export function fillPoints(known: TrendPoint[], from: Date, now: Date, step: Step): TrendPoint[] {
  const byStart = new Map(known.map((point) => [point.from, point]));
  const points: TrendPoint[] = [];
  for (let at = from.getTime(); at <= now.getTime(); at += stepMilliseconds[step]) {
    const start = new Date(at).toISOString();
    const nothing = { executions: 0, passed: 0, failed: 0, errored: 0, flaky: 0, p50: null, p95: null };
    points.push(byStart.get(start) ?? { from: start, ...nothing });
  }
  return points;
}
