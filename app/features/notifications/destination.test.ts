import { expect, test } from "vitest";
import { getDestination } from "./destination";

const leads = (action: string | null, subscriptionId: string | null = null) =>
  getDestination({ id: "n1", action, subscriptionId });

test("each action leads to its page, which receives the notification's id", () => {
  expect(leads("SELECT_SERVICE")).toBe("/?user-notification-id=n1#pricing");
  expect(leads("SUBSCRIBE_TO_SERVICE")).toBe("/billing?user-notification-id=n1");
  expect(leads("APPROVE_SUBSCRIPTION_PAYMENT", "I-BW4")).toBe("/subscriptions/I-BW4?user-notification-id=n1");
});

test("without a subscription its payment is approved in billing", () => {
  expect(leads("APPROVE_SUBSCRIPTION_PAYMENT")).toBe("/billing?user-notification-id=n1");
});

test("any other action leads home", () => {
  expect(leads("READ_THE_NEWS")).toBe("/?user-notification-id=n1");
  expect(leads(null)).toBe("/?user-notification-id=n1");
});

test("W03: a subscription's id can't lead anywhere else", () => {
  expect(leads("APPROVE_SUBSCRIPTION_PAYMENT", "../..//evil.example")).toBe(
    "/subscriptions/..%2F..%2F%2Fevil.example?user-notification-id=n1",
  );
});
