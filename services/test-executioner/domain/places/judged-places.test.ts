import fc from "fast-check";
import { expect, test } from "vitest";
import { executionVerdicts } from "#contracts/test-executioner/verdicts.ts";
import { isFailure } from "../verdict.ts";
import { getNextTurn, getPlaceState, getSeries, groupByPlace, isReached, judgePlaces } from "./judged-places.ts";

const any = { rule: "any" as const };
const all = { rule: "all" as const };
const two = { rule: "atLeast" as const, minimum: 2 };
const at = (...verdicts: (Parameters<typeof judgePlaces>[1][number]["verdict"] | undefined)[]) =>
  verdicts.map((verdict, index) => ({ placeId: index === 0 ? null : `place ${index}`, verdict: verdict ?? null }));

test("one failing place is a failure by `any`, and regional by the other rules", () => {
  const outcomes = at("passed", "failed", "passed");
  expect(judgePlaces(any, outcomes)).toBe("failed");
  expect(judgePlaces(all, outcomes)).toBe("regional");
  expect(judgePlaces(two, outcomes)).toBe("regional");
});

test("as many failing places as the rule says are a failure, with the worst of their verdicts", () => {
  expect(judgePlaces(two, at("failed", "errored", "passed"))).toBe("errored");
  expect(judgePlaces(all, at("failed", "blocked"))).toBe("blocked");
});

test("a silent place is not asked: the rule is applied to those that answered, and silence never confirms", () => {
  expect(judgePlaces(all, at("failed", "failed", "skipped"))).toBe("failed");
  expect(judgePlaces(all, at("failed", "skipped"))).toBe("regional");
  expect(judgePlaces(two, at("failed", "skipped", "skipped"))).toBe("regional");
  expect(judgePlaces(any, at("skipped", "failed"))).toBe("failed");
  expect(judgePlaces(any, at("skipped", "passed"))).toBe("passed");
  expect(judgePlaces(any, at("skipped", "skipped"))).toBe("skipped");
  expect(judgePlaces(any, at(undefined, undefined))).toBeNull();
});

const rule = fc.oneof(
  fc.constant(any),
  fc.constant(all),
  fc.integer({ min: 1, max: 10 }).map((minimum) => ({ rule: "atLeast" as const, minimum })),
);
const verdict = fc.option(fc.constantFrom(...executionVerdicts), { nil: null });
const outcomes = fc
  .array(verdict, { minLength: 1, maxLength: 10 })
  .map((verdicts) => verdicts.map((one, index) => ({ placeId: String(index), verdict: one })));

test("the order of places makes no difference, and more failing places never make a failure regional or good", () => {
  fc.assert(
    fc.property(rule, outcomes, fc.nat(9), (given, some, index) => {
      const before = judgePlaces(given, some);
      expect(judgePlaces(given, some.toReversed())).toBe(before);
      const worse = some.map((one, place) => (place === index ? { ...one, verdict: "failed" as const } : one));
      if (isFailure(before) && given.rule !== "all") expect(isFailure(judgePlaces(given, worse))).toBe(true);
    }),
  );
});

test("a verdict is regional exactly if a place fails and the rule is not reached by those that answered", () => {
  fc.assert(
    fc.property(rule, outcomes, (given, some) => {
      const count = (state: string) => some.filter((one) => getPlaceState(one) === state).length;
      const failing = count("failing");
      const answered = failing + count("passing");
      const isRegional = failing > 0 && !isReached(given, failing, answered);
      expect(judgePlaces(given, some) === "regional").toBe(isRegional);
      if (failing === 0) expect(isFailure(judgePlaces(given, some))).toBe(false);
    }),
  );
});

test("a test with rows fails from a place if one of its rows does", () => {
  const executions = [
    { testId: "a", placeId: null, verdict: "passed" as const },
    { testId: "a", placeId: "x", verdict: "failed" as const },
    { testId: "a", placeId: "x", verdict: "passed" as const },
    { testId: "b", placeId: null, verdict: null },
  ];
  expect([...groupByPlace(executions)]).toEqual([
    [
      "a",
      [
        { placeId: null, verdict: "passed" },
        { placeId: "x", verdict: "failed" },
      ],
    ],
    ["b", [{ placeId: null, verdict: null }]],
  ]);
});

test("places take turns, and members of a place follow each other", () => {
  expect([undefined, 0, 1, 2].map((last) => getNextTurn(last, 3))).toEqual([0, 1, 2, 0]);
  // After a place was removed.
  expect(getNextTurn(7, 3)).toBe(2);
  expect([1, 2, 3, 4, 6].map((position) => getSeries(position, 2))).toEqual([0, 0, 1, 1, 2]);
  expect(getSeries(40, null)).toBe(0);
});
