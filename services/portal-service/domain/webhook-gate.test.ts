import { expect, test } from "vitest";
import { createWebhookGate } from "./webhook-gate.ts";

const limits = { perMinute: 6, perMinuteOfAddress: 4, atOnce: 2 };
const at = (seconds: number) => new Date(Date.UTC(2026, 3, 17, 9, 30, seconds));

type Gate = ReturnType<typeof createWebhookGate>;

/** Enters and leaves. */
async function pass(gate: Gate, address: string, now: Date): Promise<boolean> {
  const entrance = await gate.enter(address, now);
  if (entrance.admitted) entrance.leave();
  return entrance.admitted;
}

async function passInTurn(gate: Gate, address: string, times: number): Promise<boolean[]> {
  const passed: boolean[] = [];
  for (let one = 0; one < times; one += 1) passed.push(await pass(gate, address, at(15)));
  return passed;
}

test("one address leaves capacity for others, all together have a limit, and the next minute starts at zero", async () => {
  const gate = createWebhookGate(limits);
  expect((await passInTurn(gate, "stranger", 9)).filter(Boolean)).toHaveLength(4);
  expect(await passInTurn(gate, "provider", 3)).toEqual([true, true, false]);
  expect(await gate.enter("provider", at(15))).toEqual({ admitted: false, retryAfterSeconds: 45 });
  expect(await pass(gate, "stranger", at(60))).toBe(true);
});

test("a bounded number is verified at once, others wait, and each that leaves admits the first in the queue", async () => {
  const gate = createWebhookGate(limits);
  const first = await gate.enter("a", at(0));
  await gate.enter("b", at(0));
  const entered: string[] = [];
  const waiting = ["c", "d"].map(async (address) => {
    const entrance = await gate.enter(address, at(0));
    entered.push(address);
    return entrance;
  });
  await new Promise(setImmediate);
  expect(entered).toEqual([]);
  if (first.admitted) first.leave();
  const third = await waiting[0]!;
  expect(entered).toEqual(["c"]);
  if (third.admitted) third.leave();
  await waiting[1];
  expect(entered).toEqual(["c", "d"]);
});
