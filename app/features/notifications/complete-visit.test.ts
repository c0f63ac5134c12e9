import { expect, test } from "vitest";
import { completeVisit } from "./complete-visit.server";
import { choosePlan, fakeContext } from "./testing/fake-context";

const visit = new Request(`https://portal.test/billing?user-notification-id=${choosePlan.id}`);

test("a visit completes the notification that led to it, and the next one may open", async () => {
  const { context, session, calls } = fakeContext({ answer: choosePlan });
  await completeVisit(visit, context);
  const params = { notificationId: choosePlan.id };
  expect(calls).toEqual([
    ["getNotification", { params }],
    ["completeNotification", { params }],
  ]);
  expect(session.announce).toBe("later");
});

test("a page without a notification completes nothing, nor does a visitor", async () => {
  const plain = fakeContext({});
  await completeVisit(new Request("https://portal.test/billing"), plain.context);
  await completeVisit(new Request(visit.url.replace("billing", "dashboard")), plain.context);
  const visitor = fakeContext({ signedOut: true });
  await completeVisit(visit, visitor.context);
  expect([...plain.calls, ...visitor.calls]).toEqual([]);
});

test("the same address opened again completes nothing and makes no call", async () => {
  const { context, session, calls } = fakeContext({ answer: { ...choosePlan, state: "COMPLETED" } });
  await completeVisit(visit, context);
  expect(calls.map(([name]) => name)).toEqual(["getNotification"]);
  expect(session.announce).toBeUndefined();
});

test("a notification already completed or of another user is ignored", async () => {
  for (const refusal of [400, 404, 409]) {
    const { context, session, logged } = fakeContext({ refusal });
    await completeVisit(visit, context);
    expect(logged).toEqual([]);
    expect(session.announce).toBeUndefined();
  }
});

test("any other failure is logged, and the page is served", async () => {
  const { context, logged } = fakeContext({ refusal: 503 });
  await completeVisit(visit, context);
  expect(logged).toEqual(["error: a visit could not complete its notification"]);
});
