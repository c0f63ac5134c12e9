import { setImmediate as nextTurn } from "node:timers/promises";
import { onTestFinished, vi } from "vitest";

/**
 * Holds every timer of the process until the test ends; sockets go on. The answer moves them by milliseconds, in
 * steps between which what was sent arrives: a deadline ends where the test says, however busy the machine is.
 */
export function holdTimers(): (milliseconds: number) => Promise<void> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  return async (milliseconds) => {
    for (let left = milliseconds; left > 0; left -= 20) {
      await nextTurn();
      await vi.advanceTimersByTimeAsync(Math.min(left, 20));
    }
  };
}
