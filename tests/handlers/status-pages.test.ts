import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { makeTests } from "../support/made-tests.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

let portal: HandledPortal;
let targetApi: TargetApi;
let owner: Visitor;
/** Of the form of a circle's status page. */
let settings: string;
let apiId: string;
beforeAll(async () => {
  [portal, targetApi] = await Promise.all([openHandledPortal(), startTargetApi()]);
  owner = await portal.signIn();
  const made = await makeTests(portal.backend, targetApi);
  apiId = made.apiId;
  const members = [{ kind: "test" as const, testId: made.testIds["Wants the impossible"]! }];
  const circle = requireValue(
    await portal.backend.testRegistry.createCircle({ body: { name: "Shop", members } }),
    "circle",
  );
  const params = { testCircleId: circle.id };
  await toTheEnd(portal.backend.testExecutioner).runCircle({ params, body: {} });
  settings = `/test-management/${apiId}/test-circles/${circle.id}/status-page`;
});
afterAll(async () => {
  await portal.stop();
  await targetApi.stop();
});

const hostile = `"><script>alert(1)</script>{{7*7}}`;

test("a circle's page is opened, publicly visible, changed, and closed at once", async () => {
  const form = await owner.open(settings);
  expect(form.text).toContain("This circle has no public page");
  const refused = await form.submit("Open the page", { title: "", text: "Orders" });
  expect([refused.status, refused.value("text")]).toEqual([422, "Orders"]);
  expect(refused.errors("title")).toContain("Give the page a title");

  const opened = await form.submit("Open the page", { title: hostile, text: `Ask us.\n${hostile}` });
  expect(opened.text).toContain("The status page is open.");
  const [, address] = /portal\.example\.com(\/status\/[\w-]{22})(?![\w-])/.exec(opened.text)!;
  const stranger = portal.visit();
  const page = await stranger.open(address!);
  expect([page.status, page.heading]).toEqual([200, hostile]);
  expect(page.text).toMatch(/It is down ?Since \d.*Last checked.*Ask us.*30 days ?0 % ?of checks passed.*As of/);
  expect(page.rows("0 % of checks passed")).toHaveLength(1);
  expect(page.text).not.toMatch(/impossible|127\.0\.0\.1|localhost|418/);
  expect(page.html).not.toContain("<script");
  expect(Object.fromEntries(page.headers)).toMatchObject({
    ...{ "cache-control": "public, max-age=0, s-maxage=30", etag: expect.stringMatching(/^W\/"/) },
    ...{ "x-robots-tag": "noindex", "content-security-policy": expect.stringContaining("default-src 'none'") },
  });
  // The same for its owner, who is signed in: neither reads nor sets a session.
  const own = await owner.open(address!);
  expect([own.html === page.html, own.headers.getSetCookie(), page.headers.getSetCookie()]).toEqual([true, [], []]);

  const badge = await stranger.open(`${address}/badge.svg`);
  expect(Object.fromEntries(badge.headers)).toMatchObject({
    ...{ "content-type": "image/svg+xml; charset=utf-8", "cross-origin-resource-policy": "cross-origin" },
    ...{ "cache-control": "public, max-age=30, s-maxage=30", etag: expect.stringMatching(/^W\/"/) },
  });
  expect(badge.html).toContain(": down</title>");
  expect(badge.html).not.toContain("<script");
  expect((await stranger.open(`${address}/badge.svg?show=availability`)).html).toContain("0 % in 30 days");

  await opened.submit("Save", { title: "Bookshop", message: `We look into it.\n${hostile}` });
  const statusPage = await stranger.open(address!);
  expect(statusPage.heading).toBe("Bookshop");
  expect(statusPage.text).toMatch(/Current status ?We look into it.*UTC/);
  expect(statusPage.html).not.toContain("<script");
  const requested = await (await owner.open(settings)).follow("Close the page");
  const closed = await requested.submit("Close the page");
  expect(closed.text).toContain("The status page is closed.");
  for (const deleted of [address!, `${address}/badge.svg`]) expect((await stranger.open(deleted)).status).toBe(404);
});

test("a page has the name that its owner chose, unless it is taken or reserved, and is then open to search engines", async () => {
  const form = await owner.open(settings);
  const named = { kind: "named", title: "Shop" };
  expect((await form.submit("Open the page", { ...named, name: "" })).errors("name")).toContain("Choose a name");
  const reserved = await form.submit("Open the page", { ...named, name: "admin" });
  expect([reserved.status, reserved.value("name")]).toEqual([422, "admin"]);
  expect(reserved.errors("name")).toContain("the portal's own");
  await form.submit("Open the page", { ...named, name: "book-shop" });
  const page = await portal.visit().open("/status/book-shop");
  expect([page.status, page.headers.get("x-robots-tag"), page.html.includes("noindex")]).toEqual([200, null, false]);
  const stale = await form.submit("Open the page", { ...named, name: "other-shop" });
  expect([stale.status, stale.value("name")]).toEqual([412, "other-shop"]);
});

test("a visitor who guesses addresses is rate limited", async () => {
  const stranger = portal.visit();
  const statuses = [];
  for (let tries = 0; tries < 40; tries += 1) statuses.push((await stranger.open(`/status/guess-${tries}`)).status);
  expect([statuses[0], statuses.at(-1)]).toEqual([404, 429]);
  expect((await stranger.open("/status/guess-again")).headers.get("retry-after")).toBe("60");
  expect((await stranger.open("/status/book-shop")).status).toBe(200);
});
