import fc from "fast-check";
import { expect, test } from "vitest";
import { applyDifferences, toLeaves, writeDifferences } from "./differences.ts";

const differ = (base: unknown, changed: unknown) => {
  const { values } = toLeaves(base);
  return writeDifferences(toLeaves(changed).values, (index, value) => values[index] === value);
};

test("only what differs is written", () => {
  const base = { at: "10:00", body: "long", phases: [{ dns: 1, wait: 20 }] };
  const changed = { at: "11:00", body: "long", phases: [{ dns: 1, wait: 21 }] };
  expect(toLeaves(base).shape).toBe(toLeaves(changed).shape);
  expect(differ(base, changed)).toBe('[0,"11:00",3,21]');
});

test("values of another shape are recognized", () => {
  const shapes = [{ a: 1 }, { b: 1 }, { a: [1] }, { a: [1, 2] }, { a: { b: 1 } }, { a: 1, b: 2 }, [], {}, null];
  expect(new Set(shapes.map((value) => toLeaves(value).shape)).size).toBe(shapes.length);
  expect(toLeaves({ a: 1, b: undefined })).toEqual(toLeaves({ a: 1 }));
});

test("a value is restored from its differences, whatever it holds", () => {
  /** The same shape with other leaves. */
  const reshuffle = (value: unknown, draw: () => unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => reshuffle(item, draw));
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, reshuffle(item, draw)]));
    return draw();
  };
  const leaf = fc.oneof(
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  );
  fc.assert(
    fc.property(fc.jsonValue(), fc.infiniteStream(leaf), (value, stream) => {
      const base = JSON.parse(JSON.stringify(value));
      const changed = reshuffle(base, () => stream.next().value);
      const restored = applyDifferences(base, differ(base, changed));
      expect(JSON.stringify(restored)).toBe(JSON.stringify(changed));
    }),
  );
});

test("a key that JavaScript treats specially is a key like any other", () => {
  const base = JSON.parse('{"__proto__": {"a": 1}, "b": 2}');
  const changed = JSON.parse('{"__proto__": {"a": 3}, "b": 2}');
  expect(JSON.stringify(applyDifferences(base, differ(base, changed)))).toBe('{"__proto__":{"a":3},"b":2}');
});
