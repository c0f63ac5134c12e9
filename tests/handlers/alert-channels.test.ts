import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { AlertChannelInput } from "#contracts/test-analyzer/alert-channels.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { startTarget, type Target } from "../../services/test-executioner/testing/target.ts";
import { joinAs, mailedLink, newcomer } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";

let portal: HandledPortal;
let analyzer: HandledPortal["backend"]["testAnalyzer"];
let visitor: Visitor;
let hook: Target;
beforeAll(async () => {
  hook = await startTarget((_, response) => void response.writeHead(204).end());
  portal = await openHandledPortal();
  analyzer = portal.backend.testAnalyzer;
  visitor = await portal.signIn();
});
afterAll(async () => {
  await portal.stop();
  await hook.close();
});

const createChannel = async (body: AlertChannelInput) =>
  requireValue(await analyzer.createChannel({ body }), "creating the channel");
const mailChannel = (name: string, address: string) =>
  createChannel({ kind: "mail", name, enabled: true, memberIds: [], addresses: [address] });
const confirmationLink = (address: string) => mailedLink(portal, address, /Send alerts to this address/);

test("a mailed link asks before it confirms an address, needs no account, and reports that it did", async () => {
  const { id } = await mailChannel("Confirmed", "ops@example.org");
  const link = await confirmationLink("ops@example.org");
  const visitor = portal.visit();
  const requesting = await visitor.open(link);
  expect(requesting.heading).toBe("Send alerts to this address?");
  expect(requesting.text).toContain("ops@example.org");
  const unconfirmed = { addresses: [{ address: "ops@example.org", confirmedAt: null }] };
  const params = { channelId: id };
  expect(requireValue(await analyzer.getChannel({ params }), "channel")).toMatchObject(unconfirmed);

  const confirmed = await requesting.submit("Yes, send alerts here");
  expect(confirmed.heading).toBe("This address receives alerts");
  expect(requireValue(await analyzer.getChannel({ params }), "channel")).toMatchObject({
    addresses: [{ confirmedAt: expect.any(String) }],
  });
  expect((await visitor.open(link)).heading).toBe("This address receives alerts");
});

test("a confirmation link reveals its token to no other site", async () => {
  await mailChannel("Discreet", "discreet@example.org");
  const link = await confirmationLink("discreet@example.org");
  const token = new URL(link).searchParams.get("token")!;
  const page = await portal.visit().open(link);
  expect(page.headers.get("referrer-policy")).toBe("strict-origin");
  expect(page.html.match(/<title>(.*?)<\/title>/)?.[1]).not.toContain(token);
  const links = [...page.html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address!);
  expect(links.filter((address) => address.includes(token))).toEqual([]);
});

test("a link that was replaced, mistyped or lost says how to get another", async () => {
  const { id } = await mailChannel("Taken out", "gone@example.org");
  const link = await confirmationLink("gone@example.org");
  const requesting = await portal.visit().open(link);
  requireValue(await analyzer.deleteChannel({ params: { channelId: id } }), "deleting");
  for (const page of [
    await requesting.submit("Yes, send alerts here"),
    await portal.visit().open(link),
    await portal.visit().open("/confirm-alert-address"),
    await portal.visit().open(`/confirm-alert-address?token=${"x".repeat(300)}`),
  ]) {
    expect([page.status, page.heading]).toEqual([404, "This link no longer works"]);
    expect(page.text).toContain("A new link can be sent");
  }
});

test("a webhook is created, shows its secret once, is tested, rotated, and deleted after asking, without script", async () => {
  const list = await visitor.open("/test-management/alert-channels");
  let form = await list.follow("Create a channel");
  form = await form.submit("Create channel", { kind: "webhook", url: "hooks" });
  expect([form.status, form.errors("name"), form.value("url")]).toEqual([422, "Give the channel a name", "hooks"]);
  expect(form.errors("url")).toContain("Enter a full URL");
  const made = await form.submit("Create channel", { name: "On call", url: `${hook.baseUrl}/alerts` });
  const secret = /whsec_[\w+/]+=*/.exec(made.text)![0];
  expect(made.heading).toBe("On call is created");
  let page = await made.follow("Continue to the channel");
  expect(page.html).not.toContain("whsec_");
  expect(page.text).toContain("No alert rule uses it yet");

  page = await page.submit("Send a test");
  expect(page.text).toContain(`${hook.host} returned 204.`);
  expect(page.rows("Test of the channel On call")[0]).toContain("Delivered");
  const { text, headers } = hook.requests.at(-1)!;
  new Webhook(secret).verify(text, headers as Record<string, string>);

  const rotated = await page.submit("Create a new secret", { previousHours: "0" });
  const next = /whsec_[\w+/]+=*/.exec(rotated.text)![0];
  expect(next).not.toBe(secret);
  page = await rotated.submit("Send a test");
  new Webhook(next).verify(hook.requests.at(-1)!.text, hook.requests.at(-1)!.headers as Record<string, string>);

  const { items } = requireValue(await analyzer.listChannels({ query: { query: "on call" } }), "channels");
  requireValue(
    await analyzer.createRule({ body: { scope: { kind: "organization" }, channelIds: [items[0]!.id] } }),
    "rule",
  );
  const requesting = await page.follow("Delete");
  expect(requesting.text).toContain(
    "The alert rule of the organization will no longer notify it, and has no other channel.",
  );
  expect((await requesting.submit("Delete channel")).text).toContain("On call was deleted.");
  expect((await visitor.open(page.address)).status).toBe(404);
});

test("deliveries are found by state, page by page, and a failed one is sent again", async () => {
  const url = `${hook.baseUrl}/many`;
  const { id: channelId } = await createChannel({ kind: "webhook", name: "Many", enabled: true, url });
  for (let sent = 0; sent < 26; sent += 1) await analyzer.testChannel({ params: { channelId } });
  hook.answer((_, response) => void response.writeHead(503).end());
  const page = await (await visitor.open(`/test-management/alert-channels/${channelId}`)).submit("Send a test");
  expect(page.text).toContain("The test alert was not delivered");
  expect(page.rows("Test of")).toHaveLength(25);
  expect((await page.follow("Next")).rows("Test of")).toHaveLength(2);
  const failed = await page.submit("Filter", { state: "failed" });
  expect(failed.rows("Test of")).toHaveLength(1);
  expect(failed.rows("Test of")[0]).toContain(`${hook.host} returned 503.`);
  expect((await failed.submit("Filter", { state: "held" })).text).toContain("No matching deliveries");

  hook.answer((_, response) => void response.writeHead(204).end());
  const delivery = await failed.follow("Test of the channel Many");
  expect(delivery.text).toContain('"title": "Test of the channel Many"');
  await delivery.submit("Send again");
  await vi.waitUntil(async () => (await visitor.open(delivery.address)).text.includes("returned 204"), {
    timeout: 300_000,
  });
  expect((await visitor.open("/test-management/alert-channels")).rows("Many")[0]).toContain("Delivered");
});

test("a mail channel reaches members who are found by name, and names the addresses that are not confirmed", async () => {
  const people = [newcomer(), newcomer()];
  for (const person of people) await joinAs(portal, "EDITOR", person);
  const { items } = requireValue(await analyzer.listRecipients({ query: {} }), "members");
  const getId = (person: { username: string }) => items.find(({ username }) => username === person.username)!.id;
  let form = await visitor.open("/test-management/alert-channels/create");
  form = await form.submit("Create channel");
  expect(form.errors("name")).toBe("Give the channel a name");
  expect(form.text).toContain("Choose a member or enter an address");
  const addresses = "night@example.org\nnobody";
  form = await form.submit("Create channel", { name: "By mail", memberIds: people.map(getId), addresses });
  expect(form.errors("addresses")).toContain("nobody: Enter an email address");
  let page = await form.submit("Create channel", { addresses: "night@example.org, day@example.org" });
  expect(page.text).toContain("Email to 2 members, 2 addresses not confirmed yet");
  await (await portal.visit().open(await confirmationLink("day@example.org"))).submit("Yes, send alerts here");
  page = await visitor.open(page.address);
  expect(page.rows("day@example.org")[0]).toContain("Confirmed");
  expect(page.rows("night@example.org")[0]).toContain("Not confirmed yet");
  page = await page.submit("Send the link again to night@example.org");
  expect(page.text).toContain("A link was just sent to this address");

  page = await page.submit("Save", { memberIds: [getId(people[0]!)], addresses: "" });
  expect(page.text).toContain("Email to 1 member.");
  await page.submit("Send a test");
  const email = await portal.mail.newest(people[0]!.email, /Test of the channel By mail/);
  const sent = await (await visitor.open(page.address)).follow("Test of the channel By mail");
  expect(sent.text).toContain("This is a test of this channel.");
  expect(email.text).toContain("This is a test of this channel.");
});

test("members beyond the first are found by a search that keeps the selection", async () => {
  const { items } = requireValue(await analyzer.listRecipients({ query: { limit: 1 } }), "members");
  const create = "/test-management/alert-channels/create";
  const searched = await visitor.post(create, {
    ...{ intent: "find", kind: "mail", name: "Kept", memberIds: items[0]!.id, "find-member": "nobody-is-called-so" },
  });
  expect(searched.status).toBe(200);
  expect(searched.value("name")).toBe("Kept");
  expect(searched.html).toMatch(new RegExp(`<input[^>]*checked[^>]*value="${items[0]!.id}"`));
});

test("the address of a chat is never displayed, remains when it is left empty, and a stale save keeps the input", async () => {
  const canary = "T0/B1/canary9f2c";
  const create = await visitor.open("/test-management/alert-channels/create");
  const missing = await create.submit("Create channel", { kind: "slack", name: "Chat" });
  expect(missing.errors("secret")).toContain("Enter the incoming webhook URL");
  const page = await missing.submit("Create channel", { secret: `${hook.baseUrl}/${canary}` });
  expect(page.text).toContain(`Slack to ${hook.host}`);
  await page.submit("Save", { name: "Chat, first" });
  const refused = await page.submit("Save", { name: "Chat, second" });
  expect([refused.status, refused.value("name")]).toEqual([412, "Chat, second"]);
  expect(refused.text).toContain("Someone else changed this channel");
  const saved = await refused.submit("Save");
  await saved.submit("Send a test");
  expect(hook.requests.at(-1)!.url).toBe(`/${canary}`);
  expect([create, page, refused, saved].map(({ html }) => html).join()).not.toContain(canary);
});

test("a webhook's own body is previewed with examples, checked at its field and sent, without script", async () => {
  let form = await visitor.open("/test-management/alert-channels/create");
  expect(form.text).toContain("{{incident.cause}}");
  const typed = {
    kind: "webhook",
    name: "Own body",
    url: `${hook.baseUrl}/own`,
    secretHeaders: "Authorization: Bearer s3cret",
  };
  form = await form.submit("Preview with examples", { ...typed, body: '{"t": {{nothing}}}' });
  expect([form.status, form.errors("body"), form.value("name")]).toEqual([
    422,
    expect.stringContaining("There is no value named nothing"),
    "Own body",
  ]);
  form = await form.submit("Preview with examples", { ...typed, body: '{"t": "{{incident.reason}}"}' });
  expect(form.text).toContain('{"t": "Expected status code 200, got 503."}');
  const made = await form.submit("Create channel", typed);
  let page = await made.follow("Continue to the channel");
  expect(page.text).toContain("Stored: Authorization.");
  page = await page.submit("Send a test");
  expect(JSON.parse(hook.requests.at(-1)!.text)).toEqual({ t: "Expected status code 200, got 503." });
  expect(hook.requests.at(-1)!.headers.authorization).toBe("Bearer s3cret");
  expect([form, made, page].map(({ html }) => html).join()).not.toContain("s3cret");
});

test("a channel to PagerDuty is created, its key never displayed, and the request shown without it", async () => {
  const create = await visitor.open("/test-management/alert-channels/create");
  const missing = await create.submit("Create channel", { kind: "pagerDuty", name: "Pager" });
  expect(missing.errors("routingKey")).toContain("Enter the integration key");
  const routingKey = "e93facc04764012d7bfb002500d5d1a6";
  const pagerDutyUrl = `${hook.baseUrl}/v2/enqueue`;
  const page = await missing.submit("Create channel", { routingKey, pagerDutyUrl });
  expect(page.text).toContain(`PagerDuty to ${hook.host}`);
  await page.submit("Send a test");
  expect(JSON.parse(hook.requests.at(-1)!.text)).toMatchObject({ routing_key: routingKey, event_action: "trigger" });
  const delivery = await (await visitor.open(page.address)).follow("Test of the channel Pager");
  expect(delivery.text).toContain("(the routing key)");
  expect([page, delivery].map(({ html }) => html).join()).not.toContain(routingKey);
});

test("a viewer sees channels and deliveries, and changes nothing", async () => {
  const { id } = await createChannel({ kind: "webhook", name: "Seen", enabled: false, url: `${hook.baseUrl}/seen` });
  await analyzer.testChannel({ params: { channelId: id } });
  const viewer = await joinAs(portal, "VIEWER");
  const list = await viewer.open("/test-management/alert-channels?query=seen");
  expect(list.rows("Seen")[0]).toContain("Off");
  expect(list.text).not.toContain("Create a channel");
  const page = await list.follow("Seen");
  expect(page.html).not.toMatch(/<form[^>]*method="post"[^>]*alert-channels/);
  expect((await page.follow("Test of the channel Seen")).text).not.toContain("Send again");
  expect((await viewer.post(page.address, { intent: "test" })).status).toBe(403);
});

test("the payloads of webhooks are documented publicly, with examples made like real ones", async () => {
  const page = await portal.visit().open("/alert-webhooks");
  expect(page.heading).toBe("Alert webhooks");
  for (const words of ["incident.resolved", "Get the price of a book fails", "13 times within 23 hours", "hmac"]) {
    expect(page.text).toContain(words);
  }
});
