import { expect, test } from "vitest";
import { listedRows, plainMembers } from "./listed-rows.ts";

test("rows are the items of the nearest list", () => {
  const books = [{ id: 1 }, { id: 2 }];
  expect(listedRows(books)).toEqual(books);
  expect(listedRows({ next: null, data: { items: books } })).toEqual(books);
  expect(listedRows({ tags: ["a"], books })).toEqual(books);
  expect(listedRows({ ids: ["a", 2, null] })).toEqual(["a", 2]);
});

test("an object without lists is the only row", () => {
  expect(listedRows({ id: 1, empty: [] })).toEqual([{ id: 1, empty: [] }]);
  expect(listedRows("text")).toEqual([]);
});

test("nested members are named with the object that contains them", () => {
  expect(plainMembers({ id: 9n, owner: { id: 2, tags: [] }, gone: null })).toEqual([
    ["id", 9n],
    ["owner.id", 2],
  ]);
});
