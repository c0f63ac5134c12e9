import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startPeriodicJob } from "./periodic-job.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function openLog() {
  const lines: { msg: string; err: { message: string } }[] = [];
  return { lines, log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }) };
}

test("a turn is skipped while the previous one is running, which is awaited at the end", async () => {
  let turns = 0;
  let letGo = () => {};
  const work = () => {
    turns += 1;
    return new Promise<void>((resolve) => {
      letGo = resolve;
    });
  };
  const stop = startPeriodicJob({ intervalMilliseconds: 1_000, work, failure: "failed", log: openLog().log });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(turns).toBe(1);
  letGo();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(turns).toBe(2);

  let ended = false;
  const stopped = stop().then(() => {
    ended = true;
  });
  await vi.advanceTimersByTimeAsync(10_000);
  expect([turns, ended]).toEqual([2, false]);
  letGo();
  await stopped;
});

test("a failed turn is logged, and the next one tries again", async () => {
  const { lines, log } = openLog();
  const work = vi.fn(async () => {
    throw new Error("no connection");
  });
  const stop = startPeriodicJob({
    intervalMilliseconds: 1_000,
    immediately: true,
    work,
    failure: "nothing was purged",
    log,
  });
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(lines).toMatchObject([1, 2].map(() => ({ msg: "nothing was purged", err: { message: "no connection" } })));
  await stop();
});

test("the work is notified when it should end", async () => {
  let signal: AbortSignal | undefined;
  const work = async (stopping: AbortSignal) => {
    signal = stopping;
  };
  const stop = startPeriodicJob({
    intervalMilliseconds: 1_000,
    immediately: true,
    work,
    failure: "failed",
    log: openLog().log,
  });
  expect(signal?.aborted).toBe(false);
  await stop();
  expect(signal?.aborted).toBe(true);
});
