import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AnnouncingService, startAnnouncingService } from "../support/announcing-service.ts";
import { type HandledPortal, openHandledPortal } from "../support/handled-portal.ts";

let announcing: AnnouncingService;
/** Its portal-service is a remote one with two announcements for every user. */
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
  expect((await next.submit("Skip")).text).not.toContain("Action Required");
});

test("a response that can't be stored is reported, and requested again", async () => {
  const { visitor, page } = await signIn();
  announcing.hangUp(always);
  const failed = await page.submit("Skip");
  expect(failed.text).toContain("could not be kept");
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
