const hour = 3_600_000;
const day = 24 * hour;

/** How to count steps by whole days (UTC) although they begin at other hours. */
export interface WholeDays {
  /** For each bound of the steps, the nearest midnight: a day counts to the step between two of them. */
  midnights: Date[];
  gaps: Gap[];
}

/** The time between a bound and its midnight: its hours belong to another step than their day is counted to. */
export interface Gap {
  from: Date;
  until: Date;
  /** That step and the one it belongs to, from 0 for times before the first. */
  of: number;
  to: number;
}

/**
 * @param bounds where steps begin, in order, and where the last one ends
 * @returns null if reading all hours takes hardly more
 */
export function countByDays(bounds: readonly Date[]): WholeDays | null {
  const times = bounds.map((bound) => bound.getTime());
  const midnights = times.map((time) => new Date(Math.round(time / day) * day));
  const gaps = bounds.flatMap((bound, before): Gap[] => {
    const midnight = midnights[before]!;
    if (bound < midnight) return [{ from: bound, until: midnight, of: before, to: before + 1 }];
    if (bound > midnight) return [{ from: midnight, until: bound, of: before + 1, to: before }];
    return [];
  });
  const length = times.at(-1)! - times[0]!;
  const inGaps = gaps.reduce((sum, { from, until }) => sum + until.getTime() - from.getTime(), 0);
  return length / day + inGaps / hour < (0.75 * length) / hour ? { midnights, gaps } : null;
}
