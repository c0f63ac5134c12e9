import { expect, test } from "vitest";
import { Recent } from "./recent.ts";

test("what was used last is kept, the rest goes by size", () => {
  const recent = new Recent<number>({ most: 3 });
  recent.set("a", 1);
  recent.set("b", 2);
  recent.get("a");
  recent.set("c", 3, 2);
  expect([recent.get("a"), recent.get("b"), recent.get("c")]).toEqual([1, undefined, 3]);
  recent.set("d", 4, 9);
  expect(recent.get("d")).toBeUndefined();
});

test("an entry goes when its time is up", async () => {
  const recent = new Recent<number>({ most: 10, keptMilliseconds: 20 });
  recent.set("a", 1);
  expect(recent.get("a")).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect(recent.get("a")).toBeUndefined();
});
