import fc from "fast-check";
import { expect, test } from "vitest";
import { histogramOf, percentileOf } from "./response-times.ts";

const time = fc.double({ min: 0.1, max: 600_000, noNaN: true });

test("a percentile is at most 5 % off the time it stands for", () => {
  fc.assert(
    fc.property(
      fc.array(time, { minLength: 1, maxLength: 300 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (times, share) => {
        const sorted = times.toSorted((one, other) => one - other);
        const exact = sorted[Math.max(0, Math.ceil(share * times.length) - 1)]!;
        const told = percentileOf(histogramOf(times), share)!;
        expect(Math.abs(told - exact) / exact).toBeLessThanOrEqual(0.05);
      },
    ),
  );
});

test("adding the numbers adds the histograms", () => {
  fc.assert(
    fc.property(fc.array(time), fc.array(time), (one, other) => {
      const sum = BigInt(histogramOf(one)) + BigInt(histogramOf(other));
      expect(sum).toBe(BigInt(histogramOf([...one, ...other])));
    }),
  );
});

test("without a time there is no percentile, and no time at all is the shortest", () => {
  expect(percentileOf(histogramOf([]), 0.5)).toBeNull();
  expect(percentileOf(histogramOf([0]), 0.5)).toBeCloseTo(0.1, 1);
  expect(percentileOf(histogramOf([0.02, 1e9]), 1)).toBeGreaterThan(550_000);
});
