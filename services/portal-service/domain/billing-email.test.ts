import { expect, test } from "vitest";
import { endedNews, getNews, type ReportedSubscription, trialEndNews } from "./billing-email.ts";

const paidUntil = new Date("2026-12-22T10:00:00Z");
const active: ReportedSubscription = {
  serviceId: "Team",
  price: { minorUnits: 4_900, currency: "USD" },
  state: "ACTIVE",
  stateChangedAt: new Date("2026-11-22T10:00:00Z"),
  paidUntil,
  trialEndsAt: null,
  next: null,
  heldBecause: null,
};
const news = (before: Partial<ReportedSubscription>, after: Partial<ReportedSubscription>) =>
  getNews({ ...active, ...before }, { ...active, ...after }, (serviceId) => serviceId);

test("emails about a start, a failed payment, a cancellation and an end say how long the plan remains", () => {
  expect(news({ state: "PENDING_APPROVAL" }, {})?.subject).toBe("Your subscription to Team has started");
  expect(news({}, { state: "SUSPENDED" })?.paragraphs[0]).toContain("You keep the plan until 29 November 2026 (UTC)");
  expect(news({}, { state: "CANCELLED" })?.paragraphs[0]).toContain("You keep Team until 22 December 2026 (UTC)");
  expect(news({}, { state: "CANCELLED", paidUntil: null })?.paragraphs[0]).toBe("Nothing more is charged.");
  expect(news({ state: "SUSPENDED" }, {})?.subject).toBe("Payments for Team go through again");
  expect(news({}, { state: "EXPIRED" })?.subject).toBe("Your subscription to Team has ended");
});

test("the email about a suspension by the operator gives the reason and does not mention a failed payment", () => {
  const because = { heldBecause: "The card was reported stolen." };
  const suspended = news({}, { state: "SUSPENDED", ...because })!;
  expect(suspended.subject).toBe("Your subscription to Team is suspended");
  expect(suspended.paragraphs.slice(0, 2)).toEqual([
    "The portal's operator suspended it: The card was reported stolen.",
    "Nothing is charged in the meantime. You keep the plan until 29 November 2026 (UTC).",
  ]);
  expect(news({ state: "SUSPENDED", ...because }, because)?.subject).toBe("Your subscription to Team is active again");
  const over = endedNews({ ...active, state: "SUSPENDED", ...because }, "Team", "Free");
  expect(over.paragraphs[0]).toContain(
    "The portal's operator suspended Team a week ago: The card was reported stolen.",
  );
  expect(JSON.stringify([suspended, over])).not.toContain("PayPal");
});

test("a plan change is reported when it takes effect, when it is planned and when it is withdrawn", () => {
  const next = { serviceId: "Free", at: paidUntil };
  expect(news({}, { serviceId: "Business" })?.subject).toBe("Your plan is Business now");
  expect(news({}, { next })?.paragraphs[0]).toContain("You keep Team until 22 December 2026 (UTC)");
  expect(news({ next }, {})?.subject).toBe("Your plan stays Team");
});

test("no email reports a change without effect, or a subscription that was never approved", () => {
  expect(news({}, {})).toBeUndefined();
  expect(news({ state: "PENDING_APPROVAL" }, { state: "EXPIRED" })).toBeUndefined();
  expect(news({ state: "PENDING_APPROVAL" }, { state: "CANCELLED" })).toBeUndefined();
});

test("emails at a trial's start and before its end give the end date and the price from then on", () => {
  const trial = { trialEndsAt: paidUntil };
  const begun = news({ state: "PENDING_APPROVAL" }, trial)!;
  expect(begun.subject).toBe("Your trial of Team has started");
  expect(begun.paragraphs[0]).toContain("ends on 22 December 2026 (UTC); from then on, it costs $49.00 a month.");
  expect(news(trial, { ...trial, state: "CANCELLED" })?.paragraphs[0]).toContain(
    "You keep Team until your trial ends on 22 December 2026 (UTC).",
  );
  const ends = (plan: string) => trialEndNews("Team", paidUntil, { plan, price: active.price }).paragraphs[0];
  expect(ends("Team")).toContain("From then on, Team costs $49.00 a month.");
  expect(ends("Solo")).toContain("From then on, you have Solo, which costs $49.00 a month.");
});

const ended = (
  state: ReportedSubscription["state"],
  plan: string,
  next: string | null,
  trialEndsAt: Date | null = null,
) => endedNews({ state, paidUntil, trialEndsAt, heldBecause: null }, plan, next);

test("the email about an end by date says why, and which plan applies now", () => {
  expect(ended("CANCELLED", "Team", null, paidUntil).paragraphs).toEqual([
    "You cancelled Team, and your trial has ended. Nothing is charged.",
  ]);
  expect(ended("CANCELLED", "Team", "Free").paragraphs[0]).toBe(
    "You cancelled Team, and the period you paid for has ended. Nothing more is charged. You have Free now.",
  );
  expect(ended("SUSPENDED", "Team", "Free").paragraphs[0]).toContain("Payments for Team did not go through in time.");
  expect(ended("CANCELLED", "Team", null).paragraphs).toHaveLength(1);
});
