import { expect, test } from "vitest";
import { notificationActions } from "#contracts/portal-service/notifications.ts";
import { completeVisit } from "./complete-visit.server";
import { choosePlan, fakeContext } from "./testing/fake-context";

const news = { ...choosePlan, action: null };
const visit = new Request(`https://portal.test/billing?user-notification-id=${news.id}`);

test("a visit completes a notification that requests nothing else, and the next one may open", async () => {
  const { context, session, calls } = fakeContext({ answer: news });
  await completeVisit(visit, 200, context);
  const params = { notificationId: news.id };
  expect(calls).toEqual([
    ["getNotification", { params }],
    ["completeNotification", { params }],
  ]);
  expect(session.announce).toBe("later");
});

test("a visit leaves a notification that requests an action to that action", async () => {
  for (const action of notificationActions) {
    const { context, session, calls } = fakeContext({ answer: { ...choosePlan, action } });
    await completeVisit(visit, 200, context);
    expect(calls.map(([name]) => name)).toEqual(["getNotification"]);
    expect(session.announce).toBeUndefined();
  }
});

test("a page that was not served completes nothing, nor does one that was prefetched or posted to", async () => {
  const { context, calls } = fakeContext({ answer: news });
  for (const status of [302, 404, 500, 503]) await completeVisit(visit, status, context);
  await completeVisit(new Request(visit, { headers: { "sec-purpose": "prefetch" } }), 200, context);
  await completeVisit(new Request(visit, { method: "POST" }), 200, context);
  expect(calls).toEqual([]);
});

test("a page without a notification completes nothing, nor does a visitor", async () => {
  const plain = fakeContext({});
  await completeVisit(new Request("https://portal.test/billing"), 200, plain.context);
  await completeVisit(new Request(visit.url.replace("billing", "dashboard")), 200, plain.context);
  const visitor = fakeContext({ signedOut: true });
  await completeVisit(visit, 200, visitor.context);
  expect([...plain.calls, ...visitor.calls]).toEqual([]);
});

test("the same address opened again completes nothing and makes no call", async () => {
  const { context, session, calls } = fakeContext({ answer: { ...news, state: "COMPLETED" } });
  await completeVisit(visit, 200, context);
  expect(calls.map(([name]) => name)).toEqual(["getNotification"]);
  expect(session.announce).toBeUndefined();
});

test("a notification already completed or of another user is ignored", async () => {
  for (const refusal of [400, 404, 409]) {
    const { context, session, logged } = fakeContext({ refusal });
    await completeVisit(visit, 200, context);
    expect(logged).toEqual([]);
    expect(session.announce).toBeUndefined();
  }
});

test("any other failure is logged, and the page is served", async () => {
  const { context, logged } = fakeContext({ refusal: 503 });
  await completeVisit(visit, 200, context);
  expect(logged).toEqual(["error: a visit could not complete its notification"]);
});
