import { expect, test } from "vitest";
import { listAddress } from "./list-address.ts";

const current = "http://portal.example/tests?query=pet&tag=slow&cursor=abc&dialog=delete";

test("a changed filter keeps the others and starts again from the first page", () => {
  expect(listAddress(current, { tag: "fast" })).toBe("/tests?query=pet&tag=fast");
});

test("the next page keeps the filters", () => {
  expect(listAddress(current, { cursor: "def" })).toBe("/tests?query=pet&tag=slow&cursor=def");
});

test("removing every filter leaves the bare address", () => {
  expect(listAddress(current, { query: undefined, tag: "" })).toBe("/tests");
});
