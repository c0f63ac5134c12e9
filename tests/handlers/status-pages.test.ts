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
let circleId: string;
let madeTestId: string;
beforeAll(async () => {
  [portal, targetApi] = await Promise.all([openHandledPortal(), startTargetApi()]);
  owner = await portal.signIn();
  const made = await makeTests(portal.backend, targetApi);
  apiId = made.apiId;
  madeTestId = made.testIds["Wants the impossible"]!;
  const members = [{ kind: "test" as const, testId: madeTestId }];
  const circle = requireValue(
    await portal.backend.testRegistry.createCircle({ body: { name: "Shop", members } }),
    "circle",
  );
  circleId = circle.id;
  const params = { testCircleId: circleId };
  await toTheEnd(portal.backend.testExecutioner).runCircle({ params, body: {} });
  settings = `/test-management/${apiId}/test-circles/${circle.id}/status-page`;
});
afterAll(async () => {
  await portal.stop();
  await targetApi.stop();
});

const named = { kind: "named", name: "book-shop" };
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
  expect(page.text).toMatch(
    /It is down since \d.*Last checked.*Ask us.*30-day uptime ?0 % ?of checks passed, on 1 measured day.*As of/,
  );
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
  expect(statusPage.text).toMatch(/Announcement ?We look into it.*UTC/);
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

test("several circles are added to a page without a script, and each is displayed under its public name", async () => {
  const members = [{ kind: "test" as const, testId: madeTestId }];
  const body = { name: "Internal name of payments", members };
  const payments = requireValue(await portal.backend.testRegistry.createCircle({ body }), "circle");
  const form = await owner.open(settings);
  const one = await form.submit("Add a circle", named);
  const two = await one.submit("Add a circle");
  const chosen = {
    ...{ "components[0].testCircleId": circleId, "components[0].name": "Catalogue" },
    ...{ "components[1].testCircleId": payments.id, "components[1].name": "" },
  };
  const refused = await two.submit("Save", chosen);
  expect([refused.status, refused.value("components[0].name")]).toEqual([422, "Catalogue"]);
  expect(refused.errors("components[1].name")).toContain("Give it a public name");
  const saved = await refused.submit("Save", { "components[1].name": "Payments" });
  expect(saved.text).toContain("The status page is saved.");
  const page = await portal.visit().open("/status/book-shop");
  expect(page.text).toMatch(/Catalogue.*Down.*Day by day: Catalogue.*Payments.*Unknown.*Not checked yet/s);
  expect(page.text).not.toContain("Internal name");
});

test("a visitor subscribes by email without a script, reads the feed, and ends the updates by the link of an email", async () => {
  const stranger = portal.visit();
  const page = await stranger.open("/status/book-shop");
  expect(page.html).toContain('type="application/atom+xml"');
  const feed = await stranger.open("/status/book-shop/feed.atom");
  expect(Object.fromEntries(feed.headers)).toMatchObject({
    ...{ "content-type": "application/atom+xml; charset=utf-8", etag: expect.stringMatching(/^W\/"/) },
    "last-modified": expect.any(String),
  });
  expect(feed.html).toContain("<id>https://portal.example.com/status/book-shop/feed.atom</id>");

  const form = await page.follow("by email");
  const refused = await form.submit("Send the link", { email: "nowhere" });
  expect([refused.status, refused.value("email")]).toEqual([422, "nowhere"]);
  const sent = await refused.submit("Send the link", { email: "reader@example.com" });
  expect(sent.heading).toBe("Look into your mailbox");
  const { html = "" } = await portal.mail.newest("reader@example.com", /Do you want updates/);
  const asked = await stranger.open(/\/confirm-status-updates\?token=[\w-]+/.exec(html)![0]);
  const confirmed = await asked.submit("Yes, send updates here");
  expect(confirmed.text).toMatch(/This address receives updates.*reader@example.com/);

  const saved = await (await owner.open(settings)).submit("Save", { ...named, message: "We are on it." });
  expect(saved.text).toContain("The status page is saved.");
  const subscribers = await saved.follow("Subscribers");
  expect(subscribers.rows("reader@example.com")).toHaveLength(1);
  const exported = await owner.open(subscribers.link("Export"));
  expect(exported.html).toMatch(/^email,confirmed_at\r\n"reader@example.com",2/);

  const { text = "" } = await portal.mail.newest("reader@example.com", /Announcement/);
  const end = await stranger.open(/\/end-status-updates\?token=[\w-]+/.exec(text)![0]);
  expect((await end.submit("End the updates")).heading).toBe("No updates are sent");
  expect((await owner.open(subscribers.address)).text).toContain("0 addresses");
  expect((await stranger.open("/status/book-shop/feed.atom")).html).toContain("We are on it.");
});

test("a visitor who guesses addresses is rate limited", async () => {
  const stranger = portal.visit();
  const statuses = [];
  for (let tries = 0; tries < 40; tries += 1) statuses.push((await stranger.open(`/status/guess-${tries}`)).status);
  expect([statuses[0], statuses.at(-1)]).toEqual([404, 429]);
  expect((await stranger.open("/status/guess-again")).headers.get("retry-after")).toBe("60");
  expect((await stranger.open("/status/book-shop")).status).toBe(200);
});
