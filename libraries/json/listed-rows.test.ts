import { expect, test } from "vitest";
import { ExactNumber } from "./exact-number.ts";
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
  const id = new ExactNumber("9007199254740993");
  expect(plainMembers({ id, owner: { id: 2, tags: [] }, gone: null })).toEqual([
    ["id", id],
    ["owner.id", 2],
  ]);
});
