import fc from "fast-check";
import { expect, test } from "vitest";
import { follow, isIncident, type Steadiness, well } from "./steadiness.ts";

const start = Date.parse("2026-03-10T12:00:00Z");
const at = (index: number) => new Date(start + index * 60_000);

/** The state after each of these results, `.` for a passed one. */
function followAll(results: string): Steadiness[] {
  const passed = [...results].map((sign) => sign === ".");
  let current = well;
  return passed.map((one, index) => {
    current = follow(current, { passed: one, at: at(index) }, passed.slice(Math.max(0, index - 9), index + 1));
    return current;
  });
}
const last = (results: string) => followAll(results).at(-1)!;

test("failures are counted since the test last passed, and timed from the first of them", () => {
  expect(last(".xxx")).toEqual({ failures: 3, since: at(1), isUnsteady: false });
  expect(last("xx.")).toEqual(well);
  expect(last("x.x")).toMatchObject({ failures: 1, since: at(2) });
});

test("three changes of verdict in the last ten results are unsteady, two are not", () => {
  expect(last("x.x").isUnsteady).toBe(false);
  expect(last("x.x.").isUnsteady).toBe(true);
  expect(last(".x.x").isUnsteady).toBe(true);
  expect(last(".x.......x").isUnsteady).toBe(true);
  expect(last(".x........x").isUnsteady).toBe(false);
});

test("an unsteady test stays so until five good results in a row", () => {
  expect(last(".x.x....").isUnsteady).toBe(true);
  expect(last(".x.x....x....").isUnsteady).toBe(true);
  expect(last(".x.x....x.....").isUnsteady).toBe(false);
});

test("a failure is an incident by its runs, its minutes, or by being unsteady, whichever is first", () => {
  const fails = (failures: number): Steadiness => ({ failures, since: at(0), isUnsteady: false });
  expect(isIncident(fails(2), { afterRuns: 3 }, at(0))).toBe(false);
  expect(isIncident(fails(3), { afterRuns: 3 }, at(0))).toBe(true);
  expect(isIncident(fails(1), { afterRuns: 3, afterMinutes: 10 }, at(9))).toBe(false);
  expect(isIncident(fails(1), { afterRuns: 3, afterMinutes: 10 }, at(10))).toBe(true);
  expect(isIncident(fails(9), { afterMinutes: 10 }, at(9))).toBe(false);
  expect(isIncident(fails(1), { afterMinutes: 10 }, at(10))).toBe(true);
  expect(isIncident(fails(1), {}, at(0))).toBe(true);
  expect(isIncident({ ...fails(1), isUnsteady: true }, { afterRuns: 3 }, at(0))).toBe(true);
  expect(isIncident(well, { afterRuns: 1, afterMinutes: 1 }, at(99))).toBe(false);
});

test("for any results: failures are those at the end, and five good results settle everything", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(".", "x"), { maxLength: 60 }), (signs) => {
      const results = signs.join("");
      const trailing = /x*$/.exec(results)![0].length;
      expect(results === "" ? 0 : last(results).failures).toBe(trailing);
      expect(last(`${results}.....`)).toEqual(well);
    }),
  );
});
