import fc from "fast-check";
import { expect, test } from "vitest";
import { sendNumeric, sentBuckets } from "../testing/sent-histogram.ts";
import { getPercentile, toBuckets, toHistogram } from "./response-times.ts";

const time = fc.double({ min: 0.1, max: 600_000, noNaN: true });

test("a percentile is at most 5 % off the actual time", () => {
  fc.assert(
    fc.property(
      fc.array(time, { minLength: 1, maxLength: 300 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (times, share) => {
        const sorted = times.toSorted((one, other) => one - other);
        const exact = sorted[Math.max(0, Math.ceil(share * times.length) - 1)]!;
        const estimate = getPercentile(sentBuckets(times), share)!;
        expect(Math.abs(estimate - exact) / exact).toBeLessThanOrEqual(0.05);
      },
    ),
  );
});

test("adding the numbers adds the histograms", () => {
  fc.assert(
    fc.property(fc.array(time), fc.array(time), (one, other) => {
      const sum = BigInt(toHistogram(one)) + BigInt(toHistogram(other));
      expect(sum).toBe(BigInt(toHistogram([...one, ...other])));
    }),
  );
});

test("without times there is no percentile, and zero is the shortest", () => {
  expect(getPercentile(sentBuckets([]), 0.5)).toBeNull();
  expect(getPercentile(sentBuckets([0]), 0.5)).toBeCloseTo(0.1, 1);
  expect(getPercentile(sentBuckets([0.02, 1e9]), 1)).toBeGreaterThan(550_000);
});

test("buckets are read from PostgreSQL's format, wherever zeros are omitted", () => {
  const sent = (...numbers: number[]) => Uint8Array.from(numbers.flatMap((number) => [number >> 8, number & 255]));
  // select numeric_send(...) of 0, of 3, of 12345678 in the third bucket, and of 70000000 in the second with 1
  expect(toBuckets(sent(0, 0, 0, 0))).toEqual([]);
  expect(toBuckets(sent(1, 0, 0, 0, 3))).toEqual([3]);
  expect(toBuckets(sent(2, 5, 0, 0, 1234, 5678))).toEqual([0, 0, 12_345_678]);
  expect(toBuckets(sent(4, 3, 0, 0, 7000, 0, 0, 1))).toEqual([1, 70_000_000]);
  expect(sendNumeric("1234567800000000" + "00000000")).toEqual(Buffer.from(sent(2, 5, 0, 0, 1234, 5678)));
});
