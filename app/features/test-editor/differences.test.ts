import { expect, test } from "vitest";
import { testInput } from "#contracts/test-registry/tests.ts";
import { differencesBetween } from "./differences.ts";

const one = testInput.parse({ name: "One", method: "get", path: "/", request: {} });

test("two versions of a test differ in the parts with different values", () => {
  const other = { ...one, tags: ["slow"], request: { ...one.request, followRedirects: true } };
  expect(differencesBetween(one, other)).toEqual(["tags", "redirects"]);
});

test("the order of members makes no difference", () => {
  const target = { a: 1, b: 2 };
  const made = (value: unknown) => ({
    ...one,
    assertions: [{ source: "jsonPath" as const, property: "$", comparison: "equals" as const, target: value }],
  });
  expect(differencesBetween(made(target), made({ b: 2, a: 1 }))).toEqual([]);
});
