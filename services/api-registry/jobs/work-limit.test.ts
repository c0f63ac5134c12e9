import type { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WorkLimit } from "./work-limit.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const minute = 60_000;

/** A thread that gets this share of the clock's time. */
function startThread(share: number): Worker {
  const cpuUsage = async () => ({ user: performance.now() * share * 1_000, system: 0 });
  return { cpuUsage } as unknown as Worker;
}

test("a thread that gets a tenth of the machine has ten times the time, and no more work than another", async () => {
  const onOver = vi.fn();
  const limit = new WorkLimit(startThread(0.1), 2 * minute, onOver);
  await vi.advanceTimersByTimeAsync(19 * minute);
  expect(onOver).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2 * minute);
  expect(onOver).toHaveBeenCalledTimes(1);
  limit.end();
});

test("waiting for servers counts by the clock", async () => {
  const onOver = vi.fn();
  const limit = new WorkLimit(startThread(0), 2 * minute, onOver);
  await vi.advanceTimersByTimeAsync(3 * minute);
  void limit.whileWaiting(new Promise<void>((resolve) => setTimeout(resolve, 1.5 * minute)));
  await vi.advanceTimersByTimeAsync(3 * minute);
  expect(onOver).not.toHaveBeenCalled();
  void limit.whileWaiting(new Promise<void>(() => {}));
  await vi.advanceTimersByTimeAsync(minute);
  expect(onOver).toHaveBeenCalledTimes(1);
});

test("a thread that gets nothing done ends at last, and one that has ended calls no one", async () => {
  const onOver = vi.fn();
  const ended = vi.fn();
  new WorkLimit(startThread(0), 2 * minute, onOver);
  new WorkLimit(startThread(1), 2 * minute, ended).end();
  await vi.advanceTimersByTimeAsync(39 * minute);
  expect(onOver).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2 * minute);
  expect(onOver).toHaveBeenCalledTimes(1);
  expect(ended).not.toHaveBeenCalled();
});
