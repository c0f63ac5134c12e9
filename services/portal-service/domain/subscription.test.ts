import { expect, test } from "vitest";
import {
  entitledUntil,
  isEntitled,
  mustBeCancelled,
  nextAsk,
  type Seen,
  type SubscriptionState,
  stateAfter,
  subscriptionStates,
} from "./subscription.ts";

const createdAt = new Date("2026-04-01T10:00:00Z");
const after = (hours: number) => new Date(createdAt.getTime() + hours * 3_600_000);
const status = (state: SubscriptionState, superseded = false) => ({ state, createdAt, superseded });
const seenStates: Seen["state"][] = ["APPROVAL_PENDING", "APPROVED", "ACTIVE", "SUSPENDED", "CANCELLED", "EXPIRED"];

test("the provider's response is the state, whatever it was before", () => {
  for (const before of subscriptionStates) {
    for (const state of ["ACTIVE", "SUSPENDED", "CANCELLED", "EXPIRED"] as const)
      expect(stateAfter(status(before), { state }, after(1))).toBe(state);
  }
});

test("a subscription that is not approved within three days has ended, as has one that the provider no longer knows", () => {
  for (const state of ["APPROVAL_PENDING", "APPROVED"] as const) {
    expect(stateAfter(status("PENDING_APPROVAL"), { state }, after(71))).toBe("PENDING_APPROVAL");
    expect(stateAfter(status("PENDING_APPROVAL"), { state }, after(72))).toBe("EXPIRED");
  }
  expect(stateAfter(status("PENDING_APPROVAL"), undefined, after(71))).toBe("PENDING_APPROVAL");
  expect(stateAfter(status("PENDING_APPROVAL"), undefined, after(72))).toBe("EXPIRED");
  expect(stateAfter(status("ACTIVE"), undefined, after(1))).toBe("EXPIRED");
});

test("P08: a replaced subscription stays cancelled, and is cancelled at the provider when it is approved", () => {
  for (const state of seenStates) expect(stateAfter(status("CANCELLED", true), { state }, after(1))).toBe("CANCELLED");
  const cancelled = (one: Parameters<typeof mustBeCancelled>[0]) =>
    seenStates.filter((state) => mustBeCancelled(one, { state }));
  expect(cancelled({ superseded: true, cancelRequestedAt: null })).toEqual(["APPROVED", "ACTIVE", "SUSPENDED"]);
  expect(cancelled({ superseded: false, cancelRequestedAt: createdAt })).toEqual(["APPROVED", "ACTIVE", "SUSPENDED"]);
  expect(cancelled({ superseded: false, cancelRequestedAt: null })).toEqual([]);
});

test("P09: a failed payment leaves a grace period of seven days, a cancelled subscription the paid period", () => {
  const stateChangedAt = createdAt;
  const paidUntil = after(24 * 20);
  expect(entitledUntil({ state: "ACTIVE", paidUntil, stateChangedAt })).toBeNull();
  const suspended = { state: "SUSPENDED" as const, paidUntil, stateChangedAt };
  expect(isEntitled(suspended, after(7 * 24 - 1))).toBe(true);
  expect(isEntitled(suspended, after(7 * 24))).toBe(false);
  const cancelled = { state: "CANCELLED" as const, paidUntil, stateChangedAt };
  expect(isEntitled(cancelled, after(24 * 20 - 1))).toBe(true);
  expect(isEntitled(cancelled, after(24 * 20))).toBe(false);
  expect(isEntitled({ ...cancelled, paidUntil: null }, after(0))).toBe(false);
  for (const state of ["PENDING_APPROVAL", "EXPIRED"] as const)
    expect(isEntitled({ state, paidUntil, stateChangedAt }, after(0))).toBe(false);
});

test("P05: a returning or cancelling user is polled for every second at first, and no subscription is polled for ever", () => {
  const quiet = { superseded: false, createdAt, hintedAt: null, cancelRequestedAt: null };
  const pending = { ...quiet, state: "PENDING_APPROVAL" as const };
  const waits: number[] = [];
  let now = after(0);
  for (let asks = 0; asks < 8; asks += 1) {
    const next = nextAsk({ ...pending, hintedAt: createdAt }, now)!;
    waits.push((next.getTime() - now.getTime()) / 1_000);
    now = next;
  }
  expect(waits).toEqual([1, 1, 2, 4, 8, 16, 30, 30]);
  expect(nextAsk(pending, after(0.5))).toEqual(new Date(after(0.5).getTime() + 30_000));
  expect(nextAsk(pending, after(2))).toEqual(after(3));
  const active = { ...quiet, state: "ACTIVE" as const, hintedAt: createdAt };
  expect(nextAsk(active, after(1))).toEqual(after(25));
  expect(nextAsk({ ...active, cancelRequestedAt: after(1) }, after(1))).toEqual(new Date(after(1).getTime() + 1_000));
  expect(nextAsk({ ...active, actionEndsAt: after(2) }, after(1))).toEqual(after(2));
  for (const state of ["CANCELLED", "EXPIRED"] as const)
    expect(nextAsk({ ...quiet, state, hintedAt: createdAt, cancelRequestedAt: createdAt }, after(1))).toBeNull();
  expect(nextAsk({ ...quiet, state: "CANCELLED", superseded: true }, after(72))).toBeNull();
});
