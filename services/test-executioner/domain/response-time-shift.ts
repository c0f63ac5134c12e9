import type { ResponseTimeShift } from "#contracts/test-executioner/counts.ts";

export interface HourlyMedian {
  hour: Date;
  milliseconds: number;
}

/** Minimum hours with known times, for the usual and the new. */
const least = { before: 12, after: 3 };
/** Farther from the usual than this many of its spreads. */
const maxSpreads = 3;
/** Makes a median absolute deviation comparable to a standard deviation. */
const normal = 1.4826;
/** Times are known by buckets that grow by a tenth, so the spread is never less. */
const leastSpread = Math.log(1.1);
/** A reported change must matter: a quarter slower, or faster by as much. */
const leastChange = Math.log(1.25);

const quantile = (sorted: readonly number[], share: number) => sorted[Math.floor(share * (sorted.length - 1))]!;
const ordered = (values: readonly number[]) => values.toSorted((one, other) => one - other);
const getMedian = (values: readonly number[]) => quantile(ordered(values), 0.5);

/** Index of a value in a sorted list, after equal values. */
function getPlace(value: number, sorted: readonly number[]): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle]! <= value) from = middle + 1;
    else to = middle;
  }
  return from;
}

/**
 * For each length from 0, the sum of the first values' distances from their own median. For a month's hours, summing
 * from scratch is far too slow: the sum below the median changes by one or two values.
 */
function deviationsOfStarts(values: readonly number[]): number[] {
  const sorted: number[] = [];
  let sum = 0;
  let upToMedian = 0;
  return [
    0,
    ...values.map((value) => {
      const before = Math.floor((sorted.length - 1) / 2);
      const index = getPlace(value, sorted);
      sorted.splice(index, 0, value);
      const now = Math.floor((sorted.length - 1) / 2);
      sum += value;
      if (index <= before) upToMedian += value - sorted[before + 1]!;
      if (now > before) upToMedian += sorted[now]!;
      const [least, max] = [now + 1, sorted.length - now - 1];
      return (least - max) * sorted[now]! - upToMedian + (sum - upToMedian);
    }),
  ];
}

/** Where to split the values into two groups that each lie closest to their own median. */
function findSplit(values: readonly number[]): number {
  const starts = deviationsOfStarts(values);
  const ends = deviationsOfStarts(values.toReversed()).toReversed();
  let split = least.before;
  for (let at = split; at <= values.length - least.after; at += 1) {
    if (starts[at]! + ends[at]! < starts[split]! + ends[split]!) split = at;
  }
  return split;
}

/**
 * Whether response times have moved beyond their usual spread and stayed there, from hourly medians in order. Medians
 * and absolute deviations of logarithms: a few slow hours move neither, and twice as slow is as far as twice as fast.
 */
export function findShift(medians: readonly HourlyMedian[]): ResponseTimeShift | null {
  if (medians.length < least.before + least.after) return null;
  const values = medians.map(({ milliseconds }) => Math.log(milliseconds));
  const split = findSplit(values);
  const [before, after] = [values.slice(0, split), values.slice(split)];
  const usual = getMedian(before);
  const spread = Math.max(leastSpread, normal * getMedian(before.map((value) => Math.abs(value - usual))));
  const now = getMedian(after);
  const way = Math.sign(now - usual);
  const change = Math.abs(now - usual);
  if (change < Math.max(leastChange, maxSpreads * spread)) return null;
  // Single hours also spread around the new median: they count to the nearer of the two. A shift that has reverted is
  // over.
  const isNew = (value: number) => (value - usual) * way > change / 2;
  if (!after.slice(-least.after).every(isNew) || after.filter(isNew).length < after.length * 0.75) return null;
  const sorted = ordered(before);
  return {
    since: medians[split]!.hour.toISOString(),
    milliseconds: Math.exp(now),
    usual: Math.exp(usual),
    usualLeast: Math.exp(quantile(sorted, 0.05)),
    usualMost: Math.exp(quantile(sorted, 0.95)),
  };
}
