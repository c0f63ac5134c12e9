import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

test("owners take turns, each in the order of its queue", () => {
  const turns = new Turns<string>();
  for (const waiting of ["a1", "a2", "a3", "b1", "c1", "b2"]) turns.add(waiting[0]!, waiting);
  expect(Array.from({ length: 7 }, () => turns.take())).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", undefined]);
});

test("an item that is put back had its turn, and is the next", () => {
  const turns = new Turns<string>();
  for (const waiting of ["a1", "a2", "b1"]) turns.add(waiting[0]!, waiting);
  turns.putBack([turns.take()!, turns.take()!]);
  expect(Array.from({ length: 4 }, () => turns.take())).toEqual(["a1", "b1", "a2", undefined]);
});
