import { CronExpressionParser } from "cron-parser";
import fc from "fast-check";
import { expect, test } from "vitest";
import { repetitions, reportFigure } from "../../../../tests/support/endurance.ts";
import { clockChanges } from "../../testing/clock-changes.ts";
import { listMoments } from "./recurrence.ts";

function field(from: number, to: number) {
  const value = fc.integer({ min: from, max: to });
  const range = fc.tuple(value, value).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
  const step = fc.integer({ min: 1, max: Math.max(1, Math.floor((to - from) / 2)) });
  const part = fc.oneof(
    value.map(String),
    range.map(([first, last]) => `${first}-${last}`),
    fc.tuple(range, step).map(([[first, last], by]) => `${first}-${last}/${by}`),
  );
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant("*") },
    step.map((by) => `*/${by}`),
    fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(",")),
  );
}

const cronExpression = fc
  .tuple(field(0, 59), field(0, 23), field(1, 28), field(1, 12), field(0, 7))
  .map((fields) => fields.join(" "));
const instant = fc.integer({ min: Date.UTC(2026, 0, 2), max: Date.UTC(2035, 0, 1) });
const day = 86_400_000;

/** Undefined for an expression that the other library refuses: a value named twice. */
function readByOther(cron: string, tz: string, from: number) {
  try {
    return CronExpressionParser.parse(cron, { tz, currentDate: new Date(from) });
  } catch (error) {
    if (/duplicate values/.test(String(error))) return undefined;
    throw error;
  }
}

test("expressions have the same meaning as in a second cron library, away from clock changes", () => {
  const runs = repetitions(200, 5_000);
  fc.assert(
    fc.property(cronExpression, instant, fc.constantFrom("Etc/UTC", ...Object.keys(clockChanges)), (cron, from, tz) => {
      const nextChange =
        clockChanges[tz]?.changes.map(([at]) => Date.parse(at)).find((at) => at > from - day) ?? Infinity;
      const others = readByOther(cron, tz, from);
      fc.pre(others !== undefined);
      for (const ours of listMoments({ cron, timeZone: tz, spreadSeconds: 0 }, from, { atMost: 20 })) {
        // The comparison ends here: where clocks change by half an hour, the other library finds no next time.
        if (ours > nextChange - day) break;
        expect(ours).toBe(others!.next().getTime());
      }
    }),
    { numRuns: runs },
  );
  reportFigure(`cron expressions compared with a second library: ${runs}, differences: 0`);
});
