import { expect, test } from "vitest";
import { findAnnouncement } from "./find-announcement.server";
import { choosePlan, fakeContext } from "./testing/fake-context";

const dashboard = new Request("https://portal.test/dashboard");
const done = { ...choosePlan, id: "done", state: "COMPLETED", priority: 4 };

test("after signing in the next announcement opens at once, and only once", async () => {
  const { context, session, calls } = fakeContext({ announce: "now", answer: [done, choosePlan] });
  expect(await findAnnouncement(dashboard, context)).toEqual({ notification: choosePlan, delayed: false });
  expect(session.announce).toBeUndefined();
  expect(await findAnnouncement(dashboard, context)).toBeUndefined();
  expect(calls).toHaveLength(1);
});

test("after an answer the next one opens later", async () => {
  const { context } = fakeContext({ announce: "later", answer: [choosePlan] });
  expect(await findAnnouncement(dashboard, context)).toMatchObject({ delayed: true });
});

test("an announcement does not open on its destination page: the next page asks for it", async () => {
  const subscribe = { ...choosePlan, action: "SUBSCRIBE_TO_SERVICE" };
  const { context, session } = fakeContext({ announce: "now", answer: [subscribe] });
  const billing = new Request("https://portal.test/billing?serviceId=team");
  expect(await findAnnouncement(billing, context)).toBeUndefined();
  expect(session.announce).toBe("now");
  expect(await findAnnouncement(dashboard, context)).toMatchObject({ notification: subscribe });
});

test("with nothing outstanding nothing opens, and no later page asks", async () => {
  const { context, session } = fakeContext({ announce: "later", answer: [done] });
  expect(await findAnnouncement(dashboard, context)).toBeUndefined();
  expect(session.announce).toBeUndefined();
});

test("a page without a preceding sign-in or answer makes no call, nor do visitors' pages and sign-out", async () => {
  const cases = [
    { context: fakeContext({}), path: "/dashboard" },
    { context: fakeContext({ announce: "now", signedOut: true }), path: "/" },
    { context: fakeContext({ announce: "now" }), path: "/signout" },
  ];
  for (const { context, path } of cases) {
    expect(await findAnnouncement(new Request(`https://portal.test${path}`), context.context)).toBeUndefined();
    expect(context.calls).toEqual([]);
  }
});

test("while portal-service is unavailable the page has no announcement, and the next one asks", async () => {
  const { context, session, logged } = fakeContext({ announce: "now", refusal: 503 });
  expect(await findAnnouncement(dashboard, context)).toBeUndefined();
  expect(session.announce).toBe("now");
  expect(logged).toEqual(["warn: notifications could not be read"]);
});
