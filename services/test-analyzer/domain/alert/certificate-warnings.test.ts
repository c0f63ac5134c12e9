import fc from "fast-check";
import { expect, test } from "vitest";
import { dueWarning, nextWarning } from "./certificate-warnings.ts";

const day = 24 * 60 * 60 * 1_000;
const validTo = new Date("2026-06-30T12:00:00Z");
const before = (days: number) => new Date(validTo.getTime() - days * day);

/** Checks at these moments and returns the warnings sent. */
function warningsAt(moments: Date[]): number[] {
  const warned: number[] = [];
  for (const now of moments) {
    const days = dueWarning({ validTo, warnedDays: warned.at(-1) ?? null }, now);
    if (days !== undefined) warned.push(days);
  }
  return warned;
}

test("warnings are sent 30, 14 and 3 days before the end, once each", () => {
  const everyHour = Array.from({ length: 24 * 45 }, (_, hour) => before(40 - hour / 24));
  expect(warningsAt(everyHour)).toEqual([30, 14, 3]);
});

test("a certificate first met late gets one warning for all missed ones, and none after its end", () => {
  expect(warningsAt([before(10), before(9)])).toEqual([14]);
  expect(warningsAt([before(1), before(0.5)])).toEqual([3]);
  expect(warningsAt([before(0), before(-1)])).toEqual([]);
});

test("at any check times, each warning is sent at most once, in order, and not early", () => {
  const hours = fc.array(fc.integer({ min: -100, max: 1_200 }), { maxLength: 50 });
  fc.assert(
    fc.property(hours, (ages) => {
      const looks = [...ages].sort((one, other) => other - one);
      let warnedDays: number | null = null;
      for (const age of looks.map((hours) => hours / 24)) {
        const next = nextWarning({ validTo, warnedDays });
        const due = dueWarning({ validTo, warnedDays }, before(age));
        expect(due !== undefined).toBe(age > 0 && next !== undefined && before(age) >= next);
        if (due === undefined) continue;
        expect(age).toBeLessThanOrEqual(due);
        expect(due).toBeLessThan(warnedDays ?? 31);
        warnedDays = due;
      }
    }),
  );
});
