import { expect, test } from "vitest";
import { choosePlan, fakeContext } from "./features/notifications/testing/fake-context";
import { loader } from "./root";

const visit = `https://portal.test/billing?user-notification-id=${choosePlan.id}`;

test("a prefetched page leaves toast and announcement to the page that is displayed", async () => {
  const { context, session, calls } = fakeContext({ announce: "now", answer: [choosePlan] });
  session.addToast({ id: "saved", message: "Saved.", variant: "success" });
  const ahead = new Request(visit, { headers: { purpose: "prefetch", "sec-purpose": "prefetch;prerender" } });
  expect(await loader({ request: ahead, context, params: {} } as never)).toMatchObject({
    toasts: [],
    announcement: undefined,
  });
  expect(calls).toEqual([]);
  expect(session.announce).toBe("now");
  expect(session.takeToasts()).toMatchObject([{ message: "Saved." }]);
});
