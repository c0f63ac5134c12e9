import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Deadline } from "./deadline.ts";
import type { Exchange } from "./exchange.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("while it is held, no time of a deadline passes", () => {
  const deadline = new Deadline({ timeoutMilliseconds: 100 });
  const giveUp = vi.fn();
  void deadline.run({ giveUp, run: () => new Promise(() => {}) } as unknown as Exchange, false);
  vi.advanceTimersByTime(60);
  deadline.hold();
  vi.advanceTimersByTime(10_000);
  deadline.resume();
  vi.advanceTimersByTime(39);
  expect(giveUp).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(giveUp).toHaveBeenCalledOnce();
});
