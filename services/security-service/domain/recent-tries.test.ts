import { expect, test } from "vitest";
import { RecentTries } from "./recent-tries.ts";

const limit = { tries: 2, windowMilliseconds: 1_000 };
const at = (milliseconds: number) => new Date(1_800_000_000_000 + milliseconds);

test("tries are limited by key in a sliding window, and a refused one does not count", () => {
  const tries = new RecentTries();
  expect([0, 600, 700, 800].map((moment) => tries.count("a", limit, at(moment)))).toEqual([true, true, false, false]);
  expect(tries.count("b", limit, at(800))).toBe(true);
  expect(tries.count("a", limit, at(1_001))).toBe(true);
  expect(tries.count("a", limit, at(1_002))).toBe(false);
});

test("a try that was right is taken back", () => {
  const tries = new RecentTries();
  tries.count("a", limit, at(0));
  tries.count("a", limit, at(1));
  tries.takeBack("a", at(0));
  tries.takeBack("a", at(5));
  expect([tries.count("a", limit, at(2)), tries.count("a", limit, at(3))]).toEqual([true, false]);
});

test("memory is bounded, whatever names are tried", () => {
  const tries = new RecentTries();
  tries.count("first", { ...limit, tries: 1 }, at(0));
  for (let index = 0; index < 10_000; index++) tries.count(`name ${index}`, limit, at(0));
  expect(tries.count("first", { ...limit, tries: 1 }, at(1))).toBe(true);
});
