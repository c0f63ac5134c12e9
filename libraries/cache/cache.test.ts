import { expect, onTestFinished, test, vi } from "vitest";
import { Cache } from "./cache.ts";

test("the most recently used entries remain, others are evicted by size", () => {
  const cache = new Cache<number>({ maxSize: 3 });
  cache.set("a", 1);
  cache.set("b", 2);
  cache.get("a");
  cache.set("c", 3, 2);
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([1, undefined, 3]);
  cache.set("d", 4, 9);
  expect(cache.get("d")).toBeUndefined();
});

test("an entry expires after its time limit", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const cache = new Cache<number>({ maxSize: 10, maxAgeMilliseconds: 20 });
  cache.set("a", 1);
  expect(cache.get("a")).toBe(1);
  vi.advanceTimersByTime(21);
  expect(cache.get("a")).toBeUndefined();
});
