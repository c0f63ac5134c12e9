import type { TrendRange } from "#contracts/test-analyzer/trends.ts";
import { findFirstInstant, wallAt } from "#libraries/time-zone/wall-clock.ts";

const hour = 3_600_000;
const day = 24 * hour;

/** The length of a range and of one of its points. */
const shapes: Record<TrendRange, { length: number; step: number }> = {
  "24h": { length: day, step: hour },
  "7d": { length: 7 * day, step: 6 * hour },
  "30d": { length: 30 * day, step: day },
  "90d": { length: 90 * day, step: day },
};

/**
 * Starts of the steps of a range that ends now, the current one last. Steps longer than an hour follow the zone's
 * clocks: a day begins at its midnight or, where clocks skip it, right after.
 */
export function getStepStarts(range: TrendRange, timeZone: string, now: Date): Date[] {
  const { length, step } = shapes[range];
  const count = length / step;
  const isByClock = step > hour;
  const displayed = isByClock ? wallAt(timeZone, now.getTime()) : now.getTime();
  const current = Math.floor(displayed / step) * step;
  return Array.from({ length: count }, (_, index) => {
    const start = current - (count - 1 - index) * step;
    return new Date(isByClock ? findFirstInstant(timeZone, start) : start);
  });
}
