import { expect, test } from "vitest";
import { WaitingLine } from "./waiting-line.ts";

const toLine = (cap: number, ...organizations: string[]) => {
  const line = new WaitingLine<{ organizationId: string; number: number }>(cap);
  for (const [number, organizationId] of organizations.entries()) line.add({ organizationId, number });
  return line;
};

test("the organization with the fewest running goes first, its own in their order", () => {
  const line = toLine(9, "a", "a", "a", "b", "b");
  const taken = Array.from({ length: 5 }, () => line.take()!);
  expect(taken.map(({ organizationId }) => organizationId)).toEqual(["a", "b", "a", "b", "a"]);
  expect(taken.filter(({ organizationId }) => organizationId === "a").map(({ number }) => number)).toEqual([0, 1, 2]);
});

test("entries behind a full cap can't start, and keep no others from being claimed", () => {
  const line = toLine(2, "a", "a", "a", "a", "b");
  for (let number = 0; number < 3; number += 1) line.take();
  expect(line.take()).toBeUndefined();
  expect([line.running, line.waiting, line.countStartable()]).toEqual([3, 2, 0]);
  line.leave({ organizationId: "a", number: 0 });
  expect(line.countStartable()).toBe(1);
});

test("an organization has capacity for its cap and the reserve behind it", () => {
  const line = toLine(2, "a", "a", "a", "b");
  line.take();
  expect([...line.listCapacities(2)]).toEqual([
    ["a", 1],
    ["b", 3],
  ]);
  expect([line.countWaiting("a"), line.countWaiting("c")]).toEqual([2, 0]);
});

test("removed entries no longer wait; the others keep their order", () => {
  const line = toLine(9, "a", "b", "a", "b");
  expect(line.remove(({ number }) => number < 2)).toHaveLength(2);
  expect([line.waiting, line.take()?.number, line.take()?.number, line.take()]).toEqual([2, 2, 3, undefined]);
});
