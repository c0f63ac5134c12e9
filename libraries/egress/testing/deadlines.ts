import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, vi } from "vitest";
import type { EgressFailure, OutboundResult } from "../egress.ts";
import { requireFailure } from "./outcomes.ts";
import type { Target } from "./targets.ts";

export const within400 = { timeoutMilliseconds: 400 };

/**
 * Returns the failure of a request sent {@link within400}. Its timer starts when the target has its connection, and
 * advances in steps that let written bytes arrive, so a busy machine changes nothing. The request must still be
 * pending after 399 ms.
 */
export async function requireFailureAfter400(
  target: Target,
  send: () => Promise<OutboundResult>,
): Promise<EgressFailure> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    let isUnderWay = true;
    const sending = send().finally(() => {
      isUnderWay = false;
    });
    await expect.poll(() => target.connections()).toBeGreaterThan(0);
    for (let passed = 0; passed < 399; passed += 19) {
      await nextTurn();
      await vi.advanceTimersByTimeAsync(19);
    }
    expect(isUnderWay).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    return requireFailure(await sending);
  } finally {
    vi.useRealTimers();
  }
}
