import { expect, test } from "vitest";
import { endedNews, newsOf, type Told } from "./billing-letter.ts";

const paidUntil = new Date("2026-12-22T10:00:00Z");
const active: Told = {
  serviceId: "Team",
  state: "ACTIVE",
  stateChangedAt: new Date("2026-11-22T10:00:00Z"),
  paidUntil,
  next: null,
};
const news = (before: Partial<Told>, after: Partial<Told>) =>
  newsOf({ ...active, ...before }, { ...active, ...after }, (serviceId) => serviceId);

test("a start, a failed payment, a cancellation and an end are told with until when the plan stays", () => {
  expect(news({ state: "PENDING_APPROVAL" }, {})?.subject).toBe("Your subscription to Team has started");
  expect(news({}, { state: "SUSPENDED" })?.paragraphs[0]).toContain("You keep the plan until 29 November 2026 (UTC)");
  expect(news({}, { state: "CANCELLED" })?.paragraphs[0]).toContain("You keep Team until 22 December 2026 (UTC)");
  expect(news({}, { state: "CANCELLED", paidUntil: null })?.paragraphs[0]).toBe("Nothing more is charged.");
  expect(news({ state: "SUSPENDED" }, {})?.subject).toBe("Payments for Team go through again");
  expect(news({}, { state: "EXPIRED" })?.subject).toBe("Your subscription to Team has ended");
});

test("a change of plan is told when it counts, when it is planned and when it is taken back", () => {
  const next = { serviceId: "Free", at: paidUntil };
  expect(news({}, { serviceId: "Business" })?.subject).toBe("Your plan is Business now");
  expect(news({}, { next })?.paragraphs[0]).toContain("You keep Team until 22 December 2026 (UTC)");
  expect(news({ next }, {})?.subject).toBe("Your plan stays Team");
});

test("nothing is told of what changed nothing, or was never approved", () => {
  expect(news({}, {})).toBeUndefined();
  expect(news({ state: "PENDING_APPROVAL" }, { state: "EXPIRED" })).toBeUndefined();
  expect(news({ state: "PENDING_APPROVAL" }, { state: "CANCELLED" })).toBeUndefined();
});

test("an end by the clock says why, and what there is now", () => {
  expect(endedNews("CANCELLED", "Team", "Free").paragraphs[0]).toBe(
    "You cancelled Team, and the period you paid for has ended. Nothing more is charged. You have Free now.",
  );
  expect(endedNews("SUSPENDED", "Team", "Free").paragraphs[0]).toContain(
    "Payments for Team did not go through in time.",
  );
  expect(endedNews("CANCELLED", "Team", null).paragraphs).toHaveLength(1);
});
