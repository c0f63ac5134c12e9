import { expect, test } from "vitest";
import { ExactNumber } from "#libraries/json/exact-number.ts";
import type { Json } from "#libraries/json/json.ts";
import { takenValues } from "./taken-values";

const use = { variable: "bookId", parameter: "bookId", path: "/books/{bookId}" };
const taken = (result: Parameters<typeof takenValues>[0]) => takenValues(result, use, "/books");

test("values come with a few words of their row, each value once", () => {
  const rows: Json[] = [
    { id: 1, title: "The Dispossessed" },
    { id: 1, title: "Again" },
    { id: new ExactNumber("9007199254740993"), title: "x".repeat(100) },
    { title: "Nameless" },
  ];
  expect(taken({ items: rows })).toEqual([
    { value: "1", words: "The Dispossessed" },
    { value: "9007199254740993", words: `${"x".repeat(79)}…` },
  ]);
});

test("a list of bare values is taken as such, up to twenty", () => {
  expect(taken(["a", "b"])).toEqual([
    { value: "a", words: "" },
    { value: "b", words: "" },
  ]);
  expect(taken(Array.from({ length: 30 }, (_, id) => ({ id })))).toHaveLength(20);
});

test("secrets and members with other names are left out", () => {
  expect(taken([{ id: "[secret]" }, { id: "x[secret]" }])).toEqual([]);
  expect(taken([{ colour: "red" }])).toEqual([]);
  expect(taken({})).toEqual([]);
});
