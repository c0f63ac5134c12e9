import { expect, test } from "vitest";
import { isNoticeDue, isOnTrial, type SeenBilling, type Trial, trialAfter } from "./trial.ts";

const on = (day: number) => new Date(Date.UTC(2026, 10, day, 10));
const none: Trial = { days: 0, endsAt: null, noticedAt: null };
const waiting: Trial = { days: 14, endsAt: null, noticedAt: null };
const running: Trial = { days: 14, endsAt: on(15), noticedAt: null };
const seen = (change: Partial<SeenBilling> = {}): SeenBilling => ({
  ...{ state: "ACTIVE", nextBillingAt: on(15), lastPayment: null, failedPayments: 0 },
  ...change,
});

test("a trial lasts until the provider's first payment is due", () => {
  expect(trialAfter(waiting, seen(), on(1))).toEqual(running);
  expect(trialAfter(running, seen({ nextBillingAt: on(16) }), on(2)).endsAt).toEqual(on(16));
  expect(trialAfter(none, seen(), on(1))).toEqual(none);
});

test("nothing else moves its end: no payment, declined or not, no other state, no later response", () => {
  const later = { nextBillingAt: on(30) };
  for (const result of [
    seen({ ...later, lastPayment: {} }),
    seen({ ...later, failedPayments: 1 }),
    seen({ ...later, state: "SUSPENDED" }),
    seen({ state: "CANCELLED", nextBillingAt: null }),
    undefined,
  ])
    expect(trialAfter(running, result, on(3))).toEqual(running);
  expect(trialAfter(running, seen(later), on(15))).toEqual(running);
});

test("its end is announced once, three days before; for a short trial the announcement at its start suffices", () => {
  const isDueOn = (trial: Trial, day: number) => isNoticeDue(trial, on(day));
  expect([11, 12, 14, 15].map((day) => isDueOn(running, day))).toEqual([false, true, true, false]);
  expect(isDueOn({ ...running, noticedAt: on(12) }, 13)).toBe(false);
  const short = trialAfter({ ...waiting, days: 3 }, seen({ nextBillingAt: on(4) }), on(1));
  expect([2, 3].map((day) => isDueOn(short, day))).toEqual([false, false]);
});

test("a plan is on trial from its approval until the trial ends, cancelled or not", () => {
  const states = ["PENDING_APPROVAL", "ACTIVE", "SUSPENDED", "CANCELLED", "EXPIRED"] as const;
  expect(states.map((state) => isOnTrial(state, on(15), on(3)))).toEqual([false, true, true, true, false]);
  expect([isOnTrial("ACTIVE", on(15), on(15)), isOnTrial("ACTIVE", null, on(3))]).toEqual([false, false]);
});
