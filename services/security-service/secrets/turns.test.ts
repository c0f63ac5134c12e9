import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

test("A08: of 100 tasks two run at once, fifty wait and the rest are refused", async () => {
  const inTurn = createTurns({ atOnce: 2, waiting: 50 });
  let running = 0;
  let max = 0;
  const outcomes = await Promise.allSettled(
    Array.from({ length: 100 }, () =>
      inTurn(async () => {
        running += 1;
        max = Math.max(max, running);
        await pause(1);
        running -= 1;
      }),
    ),
  );
  expect(max).toBe(2);
  expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(52);
  expect(outcomes.find((outcome) => outcome.status === "rejected")).toMatchObject({
    reason: { code: "too_many_requests", extras: { retryAfterSeconds: 2 } },
  });
});

test("a task that throws releases its slot", async () => {
  const inTurn = createTurns({ atOnce: 1, waiting: 1 });
  await expect(inTurn(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await inTurn(async () => "next")).toBe("next");
});
