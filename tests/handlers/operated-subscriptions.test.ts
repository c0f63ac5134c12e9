import { afterAll, beforeAll, expect, test } from "vitest";
import { joinAs } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { openPayPalSandbox } from "../support/paypal-sandbox.ts";

const list = "/administration/system/subscriptions";

let sandbox: Awaited<ReturnType<typeof openPayPalSandbox>>;
let portal: HandledPortal;
let operator: Visitor;
/** Of an active subscription. */
let page: string;
beforeAll(async () => {
  sandbox = await openPayPalSandbox();
  portal = await openHandledPortal(sandbox.environment);
  operator = await portal.signIn();
  expect((await operator.open(list)).text).toContain("No subscribers yet");
  const waiting = await (await operator.open("/billing")).submit("Subscribe to Team");
  const back = await sandbox.decide(waiting.link("Approve at PayPal"), "approve");
  page = (await operator.open(back.href)).address.replace("/subscriptions/", `${list}/`);
});
afterAll(async () => {
  await portal.stop();
  await sandbox.stop();
});

test("the operator finds a subscription from the navigation, and reads its details, history and payments", async () => {
  const all = await (await operator.open("/administration")).follow("Subscriptions");
  expect(all.heading).toBe("Subscriptions");
  expect(all.rows("Team")).toEqual([expect.stringMatching(/Active.*\$49\.00.*I-/)]);
  const found = await all.submit("Filter", { query: "no such name", state: "ACTIVE", serviceId: "team" });
  expect(found.text).toContain("No matching subscriptions");
  expect([found.value("query"), new URL(found.url).searchParams.get("state")]).toEqual(["no such name", "ACTIVE"]);

  const one = await all.follow("My organization");
  expect(one.address).toBe(page);
  for (const words of ["PayPal's number", "Subscribed to Team.", "Approved at PayPal.", "$49.00", "Next payment"])
    expect(one.text).toContain(words);
});

test("after another request, PayPal's response and its effect are on the page", async () => {
  const one = await operator.open(page);
  const requested = await one.submit("Check with PayPal again");
  expect(requested.text).toContain("PayPal says: active. Nothing new.");
  expect(requested.text).toContain("It changed nothing");
});

test("a suspension requires a reason, keeps the input, and the subscriber reads the reason", async () => {
  const asks = await (await operator.open(page)).follow("Suspend");
  expect(asks.text).toContain("stays active for seven days");
  const without = await asks.submit("Suspend the subscription");
  expect([without.status, without.errors("reason")]).toEqual([422, "Enter a reason"]);
  const tooLong = await without.submit("Suspend the subscription", { reason: "x".repeat(101) });
  expect([tooLong.status, tooLong.value("reason")]).toEqual([422, "x".repeat(101)]);

  sandbox.switchOn({ kind: "status", status: 500, call: "POST /v1/billing", after: false, times: 9 });
  const away = await asks.submit("Suspend the subscription", { reason: "Stolen card." });
  expect([away.status, away.value("reason")]).toEqual([503, "Stolen card."]);
  expect(away.text).toContain("The payment provider is not responding");
  sandbox.clearFaults();

  const done = await away.submit("Suspend the subscription");
  expect(done.text).toContain("Done. PayPal says: suspended.");
  expect(done.text).toContain("Suspended by the portal's operator: Stolen card.");
  const own = await operator.open(page.replace(list, "/subscriptions"));
  expect(own.text).toContain("Suspended by the portal's operator: Stolen card.");
  expect((await operator.open("/billing")).text).toContain("The portal's operator suspended it: Stolen card.");

  const again = await (await done.follow("Resume")).submit("Resume the subscription", {
    reason: "Found.",
  });
  expect(again.text).toContain("Resumed by the portal's operator: Found.");
});

test("actions that no longer fit the state are neither offered nor executed", async () => {
  const one = await operator.open(`${page}?dialog=activate`);
  expect(one.text).not.toContain("Resume it?");
  const sent = await operator.post(page, { intent: "activate", reason: "Again." });
  expect(sent.text).toContain("Its state has changed since.");
});

test("T01: a user who is no operator sees no link and no page, and can send none of its forms", async () => {
  const editor = await joinAs(portal, "EDITOR");
  expect((await editor.open("/administration/credentials")).html).not.toContain(list);
  for (const address of [list, page, `${page}?dialog=cancel`]) expect((await editor.open(address)).status).toBe(403);
  expect((await editor.post(page, { intent: "cancel", reason: "Mine." })).status).toBe(403);
  const stranger = portal.visit();
  expect((await stranger.open(page)).heading).toBe("Login");
  expect((await operator.open(page)).text).toContain("Active");
});

test("an unknown subscription is not found, nor is an invalid id", async () => {
  for (const id of ["01900000-0000-7000-8000-000000000000", "nonsense"])
    expect((await operator.open(`${list}/${id}`)).status).toBe(404);
});
