import { expect, test } from "vitest";
import { findObstacle, isTooLate, type Planned, planAfter } from "./plan-change.ts";

const now = new Date("2026-04-10T12:00:00Z");
const paidUntil = new Date("2026-04-30T10:00:00Z");
const plan = (serviceId: string, minorUnits: number) => ({ serviceId, price: { minorUnits, currency: "USD" } });
const [team, business] = [plan("team", 4_900), plan("business", 19_900)];
const on = (current: typeof team, next: Planned["next"] = null): Planned => ({ current, next });

test("a plan that costs more takes effect at once", () => {
  expect(planAfter(on(team), business, paidUntil, now)).toEqual(on(business));
});

test("a plan that costs less takes effect at the end of the paid period, however late that is noticed", () => {
  const planned = planAfter(on(business), team, paidUntil, now);
  expect(planned).toEqual(on(business, { ...team, at: paidUntil }));
  const nextMonth = new Date("2026-05-31T10:00:00Z");
  expect(planAfter(planned, team, nextMonth, now)).toEqual(planned);
  expect(planAfter(planned, team, nextMonth, paidUntil)).toEqual(on(team));
  expect(planAfter(on(business), team, paidUntil, nextMonth)).toEqual(on(team));
});

test("a plan that costs less takes effect at once when nothing is paid for", () => {
  expect(planAfter(on(business), team, null, now)).toEqual(on(team));
});

test("a planned change is withdrawn once the provider bills the current plan again, or a more expensive one", () => {
  const planned = on(business, { ...team, at: paidUntil });
  expect(planAfter(planned, business, paidUntil, now)).toEqual(on(business));
  expect(planAfter(planned, plan("huge", 50_000), paidUntil, now)).toEqual(on(plan("huge", 50_000)));
});

test("the same plan at another price is another plan, since new subscribers pay that price", () => {
  expect(planAfter(on(team), plan("team", 2_500), paidUntil, now).next).toMatchObject({ at: paidUntil });
});

test("inactive, current or already planned plans change nothing", () => {
  const planned = on(business, { ...team, at: paidUntil });
  const table = [
    ["PENDING_APPROVAL", on(team), business, "approve-first"],
    ["SUSPENDED", on(team), business, "pay-first"],
    ["CANCELLED", on(team), business, "over"],
    ["EXPIRED", on(team), business, "over"],
    ["ACTIVE", on(team), team, "is-yours"],
    ["ACTIVE", planned, team, "is-planned"],
    ["ACTIVE", on(team), { ...business, price: { minorUnits: 1, currency: "EUR" } }, "other-currency"],
    ["ACTIVE", on(team), business, undefined],
    // Withdraws a planned change.
    ["ACTIVE", planned, business, undefined],
  ] as const;
  for (const [state, known, wanted, why] of table) expect(findObstacle({ ...known, state }, wanted)).toBe(why);
});

test("a change that is not approved within three days is abandoned", () => {
  expect(isTooLate(new Date("2026-04-07T12:00:01Z"), now)).toBe(false);
  expect(isTooLate(new Date("2026-04-07T12:00:00Z"), now)).toBe(true);
});
