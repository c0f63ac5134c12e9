import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AnnouncingService, startAnnouncingService } from "../support/announcing-service.ts";
import { type HandledPortal, openHandledPortal } from "../support/handled-portal.ts";

let announcing: AnnouncingService;
/** Its portal-service is a remote one with three announcements for every user. */
let portal: HandledPortal;
beforeAll(async () => {
  announcing = await startAnnouncingService();
  portal = await openHandledPortal({ PORTAL_SERVICE_URL: announcing.origin });
});
afterAll(async () => {
  await portal.stop();
  await announcing.stop();
});
beforeEach(() => announcing.renew());

const always = Number.POSITIVE_INFINITY;
const mostUrgent = "Approve the payment for Team";

/** The administrator on the page that the sign-in leads to. */
async function signIn(first = "/dashboard") {
  const visitor = portal.visit();
  const login = await visitor.open(`/login?redirectTo=${encodeURIComponent(first)}`);
  return { visitor, page: await login.submit("log in", portal.administrator) };
}

test("the most urgent is displayed first and once, after its response the next", async () => {
  const { visitor, page } = await signIn();
  expect(page.text).toContain(mostUrgent);
  expect(page.text).toContain("Critical priority");
  expect((await visitor.open("/dashboard")).text).not.toContain(mostUrgent);
  const next = await page.submit("Skip");
  expect(next.address).toBe("/dashboard");
  expect(next.text).toContain("Subscribe to Team");
  const last = await next.submit("Skip");
  expect(last.text).toContain("Read what is new");
  expect((await last.submit("Skip")).text).not.toContain("Action Required");
});

test("Continue leaves what is requested to its action, which the page it leads to does not replace", async () => {
  const { page } = await signIn();
  const billing = await page.submit("Continue");
  expect(billing.address).toMatch(/^\/billing\?user-notification-id=/);
  expect(announcing.states()).toMatchObject({ [mostUrgent]: "PENDING" });
});

test("a notification that requests only a visit is completed by the page that Continue leads to, once it is served", async () => {
  const { visitor, page } = await signIn();
  const news = await (await page.submit("Skip")).submit("Skip");
  const { "Read what is new": before } = announcing.states();
  const home = await news.submit("Continue");
  expect(home.address).toMatch(/^\/\?user-notification-id=/);
  expect([before, announcing.states()["Read what is new"]]).toEqual(["NEW", "COMPLETED"]);

  announcing.renew();
  const missing = await visitor.open(
    home.address.replace("/?", "/subscriptions/01900000-0000-7000-8000-0000000000ff?"),
  );
  expect([missing.status, announcing.states()["Read what is new"]]).toEqual([404, "NEW"]);
});

test("a response that can't be stored is reported, and requested again", async () => {
  const { visitor, page } = await signIn();
  announcing.hangUp(always);
  const failed = await page.submit("Skip");
  expect(failed.text).toContain("could not be saved");
  expect(failed.heading).toBe("Dashboard");
  expect(failed.text).not.toContain(mostUrgent);
  announcing.hangUp(0);
  expect((await visitor.open("/api-management/list")).text).toContain(mostUrgent);
});

test("a user who signs in while notifications are unavailable is asked as soon as they are back", async () => {
  announcing.hangUp(always);
  const { visitor, page } = await signIn();
  expect(page.heading).toBe("Dashboard");
  expect(page.text).not.toContain(mostUrgent);
  announcing.hangUp(0);
  expect((await visitor.open("/api-management/list")).text).toContain(mostUrgent);
});

test("a page that only redirects leaves the modal to its target", async () => {
  const { page } = await signIn("/test-management");
  expect(page.address).toBe("/test-management/select-api");
  expect(page.text).toContain(mostUrgent);
});
