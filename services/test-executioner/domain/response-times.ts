/**
 * Response times are stored as a histogram whose buckets grow by a tenth: a percentile read from it is at most 5 % off,
 * from 0.1 ms to 10 minutes.
 *
 * A histogram is one integer with eight decimal digits per bucket, the shortest times last. Adding two such numbers
 * adds the histograms, so a database merges them with its own `+` and `sum()`, and no bucket overflows below a hundred
 * million entries. Empty buckets at either end take no space in PostgreSQL's numeric.
 */
export type Histogram = string;

const growth = 1.1;
const shortestMilliseconds = 0.1;
const bucketCount = 165;
const digitsOfBucket = 8;

/** Times in bucket n lie above its lower bound `0.1 ms × 1.1^(n-1)`, up to and including `0.1 ms × 1.1^n`. */
export function toBucket(milliseconds: number): number {
  const bucket = Math.ceil(Math.log(milliseconds / shortestMilliseconds) / Math.log(growth));
  // Zero and NaN count as the shortest time.
  return bucket > 0 ? Math.min(bucket, bucketCount - 1) : 0;
}

/** The value with the same relative error to both bounds of its bucket. */
function getTime(bucket: number): number {
  return (shortestMilliseconds * growth ** bucket * 2) / (1 + growth);
}

export function toHistogram(times: readonly number[]): Histogram {
  const counts = new Map<number, number>();
  for (const bucket of times.map(toBucket)) counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  const longestFirst = [...counts].sort(([one], [other]) => other - one);
  const [[longest] = [0]] = longestFirst;
  let digits = "";
  for (const [bucket, count] of longestFirst) {
    digits = digits.padEnd((longest - bucket) * digitsOfBucket, "0") + String(count).padStart(digitsOfBucket, "0");
  }
  return digits.padEnd((longest + 1) * digitsOfBucket, "0");
}

/** Counts per bucket, the shortest times first. */
export type Buckets = number[];

/** Digits of PostgreSQL's numeric are base 10,000, so two of them are a bucket's eight. */
const numericBase = 10_000;
const numericHeaderBytes = 8;

/**
 * Reads a histogram in PostgreSQL's binary format for numeric (`numeric_send`): number of digits, weight of the first,
 * sign, scale, then the digits without the zeros at either end. As text, most of it would be empty buckets below the
 * shortest time, and formatting that takes ten times as long as adding it up.
 */
export function toBuckets(numeric: Uint8Array): Buckets {
  const view = new DataView(numeric.buffer, numeric.byteOffset, numeric.byteLength);
  const digits = view.getUint16(0);
  const firstPower = view.getInt16(2);
  if (digits === 0) return [];
  const buckets: Buckets = new Array((firstPower >> 1) + 1).fill(0);
  for (let index = 0; index < digits; index += 1) {
    const power = firstPower - index;
    const digit = view.getUint16(numericHeaderBytes + 2 * index);
    buckets[power >> 1]! += power % 2 === 0 ? digit : digit * numericBase;
  }
  return buckets;
}

/** Adds the second to the first, in place. */
export function addBuckets(sum: Buckets, other: Buckets): void {
  other.forEach((count, bucket) => {
    sum[bucket] = (sum[bucket] ?? 0) + count;
  });
}

/** The times that these shares of all times, each from 0 to 1, did not exceed; null without any times. */
export function getPercentiles(buckets: Buckets, shares: readonly number[]): (number | null)[] {
  const total = buckets.reduce((sum, count) => sum + count, 0);
  return shares.map((share) => {
    if (total === 0) return null;
    const rank = Math.max(1, Math.ceil(share * total));
    let seen = 0;
    const bucket = buckets.findIndex((count) => {
      seen += count;
      return seen >= rank;
    });
    return getTime(bucket);
  });
}

export function getPercentile(buckets: Buckets, share: number): number | null {
  return getPercentiles(buckets, [share])[0]!;
}
