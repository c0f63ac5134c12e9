import { expect, test } from "vitest";
import { listedRows, plainMembers } from "./listed-rows.ts";

test("rows are what the nearest list holds", () => {
  const books = [{ id: 1 }, { id: 2 }];
  expect(listedRows(books)).toEqual(books);
  expect(listedRows({ next: null, data: { items: books } })).toEqual(books);
  expect(listedRows({ tags: ["a"], books })).toEqual(books);
  expect(listedRows({ ids: ["a", 2, null] })).toEqual(["a", 2]);
});

test("an object that lists nothing is the only row", () => {
  expect(listedRows({ id: 1, empty: [] })).toEqual([{ id: 1, empty: [] }]);
  expect(listedRows("text")).toEqual([]);
});

test("members are named with the object they are in", () => {
  expect(plainMembers({ id: 9n, owner: { id: 2, tags: [] }, gone: null })).toEqual([
    ["id", 9n],
    ["owner.id", 2],
  ]);
});
