import fc from "fast-check";
import { expect, test } from "vitest";
import { equalJson } from "#libraries/json/compare-json.ts";
import type { Json } from "#libraries/json/json.ts";
import { compareBodies } from "./compare-bodies.ts";
import { listDifferences } from "./json-differences.ts";

const answered = (body: string, status = 200) => ({ status, body });
const compareTexts = (before: string, after: string) => compareBodies(answered(before), answered(after), []);
const compare = (before: unknown, after: unknown, passed: unknown[] = []) =>
  compareBodies(
    answered(JSON.stringify(before)),
    answered(JSON.stringify(after)),
    passed.map((value) => answered(JSON.stringify(value))),
  );

test("the innermost members that differ are named, with their old and new values", () => {
  expect(compare({ a: { b: 1, "c/d~": [1, 2] }, same: "x" }, { a: { b: "1", "c/d~": [1, 3, 4] }, same: "x" })).toEqual({
    differences: [
      { pointer: "/a/b", before: "1", after: '"1"' },
      { pointer: "/a/c~1d~0/1", before: "2", after: "3" },
      { pointer: "/a/c~1d~0/2", before: null, after: "4" },
    ],
    differenceCount: 3,
    masked: [],
    hidden: [],
  });
  expect(compare({ a: null, b: {} }, { b: [] })?.differences).toEqual([
    { pointer: "/a", before: "null", after: null },
    { pointer: "/b", before: "{}", after: "[]" },
  ]);
});

test("formatting and the order of members are no difference, digits of large numbers are", () => {
  expect(compareTexts('{"a":1,"b":2}', '{ "b": 2, "a": 1.0 }')).toBeNull();
  expect(compareTexts('{"id":9007199254740993}', '{"id":9007199254740992}')?.differences).toEqual([
    { pointer: "/id", before: "9007199254740993", after: "9007199254740992" },
  ]);
});

test("bodies that are not JSON differ as a whole, truncated if long", () => {
  expect(compareTexts("<p>1</p>", "<p>2</p>")).toEqual({
    differences: [{ pointer: "", before: '"<p>1</p>"', after: '"<p>2</p>"' }],
    differenceCount: 1,
    masked: [],
    hidden: [],
  });
  expect(compareTexts("a", "b".repeat(300))?.differences[0]?.after).toHaveLength(201);
});

test("members that differed from run to run although it passed are masked, in every item of a list", () => {
  const result = (at: number, price: number) => ({
    at,
    items: [
      { id: at, price },
      { id: at + 1, price: 2 },
    ],
  });
  const passed = [result(1, 1), result(2, 1), result(3, 1)];
  expect(compare(result(1, 1), result(0, 9), passed)).toEqual({
    differences: [{ pointer: "/items/0/price", before: "1", after: "9" }],
    differenceCount: 1,
    masked: ["/at", "/items/*/id"],
    hidden: [
      { pointer: "/at", before: "1", after: "0" },
      { pointer: "/items/0/id", before: "1", after: "0" },
      { pointer: "/items/1/id", before: "2", after: "1" },
    ],
  });
  expect(compare(result(1, 1), result(0, 1), passed)).toMatchObject({ differenceCount: 0 });
});

test("a member that changed once in many times is not volatile; one that changed every second time is", () => {
  expect(compare({ v: 2 }, { v: 3 }, [{ v: 2 }, { v: 1 }, { v: 1 }, { v: 1 }])?.differenceCount).toBe(1);
  expect(compare({ v: 2 }, { v: 3 }, [{ v: 2 }, { v: 1 }, { v: 1 }])?.masked).toEqual(["/v"]);
});

test("a single response teaches nothing, nor does a step from one status to another", () => {
  const at = (value: number, status: number) => answered(JSON.stringify({ at: value }), status);
  expect(compareBodies(at(3, 200), at(4, 200), [at(3, 200)])?.masked).toEqual([]);
  expect(compareBodies(at(3, 201), at(4, 200), [at(3, 201), at(2, 200)])?.masked).toEqual([]);
  expect(compareBodies(at(3, 201), at(4, 200), [at(3, 201), at(2, 200), at(1, 200)])?.masked).toEqual(["/at"]);
});

test("of very many differences fifty are shown and the rest counted", () => {
  const many = (value: number) => Array.from({ length: 80 }, () => value);
  expect(compare(many(1), many(2))).toMatchObject({ differenceCount: 80, differences: { length: 50 } });
});

test("two values have no difference exactly when they are equal, and every pointer leads to its value", () => {
  const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;
  const at = (value: Json, pointer: string) =>
    pointer
      .split("/")
      .slice(1)
      .reduce<unknown>((inner, step) => {
        const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
        return Object.hasOwn(inner as object, name) ? (inner as Record<string, unknown>)[name] : undefined;
      }, value);
  fc.assert(
    fc.property(json, json, (before, after) => {
      const differences = listDifferences(before, after);
      expect(differences.length === 0).toBe(equalJson(before, after));
      for (const difference of differences) {
        expect(at(before, difference.pointer)).toEqual(difference.before);
        expect(at(after, difference.pointer)).toEqual(difference.after);
      }
    }),
  );
});

test("whatever was learnt, a difference is either shown or named as masked; members that never changed are never masked", () => {
  const small = fc.record({ a: fc.integer({ max: 2 }), list: fc.array(fc.integer({ max: 1 }), { maxLength: 3 }) });
  const bodies = fc.array(
    small.map((value) => JSON.stringify(value)),
    { maxLength: 6 },
  );
  const text = small.map((value) => JSON.stringify(value));
  fc.assert(
    fc.property(text, text, bodies, (before, after, passed) => {
      const given = [answered(before), answered(after), passed.map((body) => answered(body))] as const;
      const all = compareBodies(given[0], given[1], []);
      const known = compareBodies(...given);
      expect([...(known?.differences ?? []), ...(known?.hidden ?? [])].map(({ pointer }) => pointer).sort()).toEqual(
        (all?.differences ?? []).map(({ pointer }) => pointer).sort(),
      );
      const steps = passed
        .slice(1)
        .map((older, index) => listDifferences(JSON.parse(older), JSON.parse(passed[index]!)));
      for (const pattern of known?.masked ?? []) {
        const changed = steps.filter((step) => step.some((difference) => difference.pattern === pattern));
        expect(2 * changed.length).toBeGreaterThanOrEqual(steps.length);
        expect(changed.length).toBeGreaterThan(0);
      }
    }),
  );
});
