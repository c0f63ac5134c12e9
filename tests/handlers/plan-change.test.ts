import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { FormPage } from "../support/form-page.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { openPayPalSandbox } from "../support/paypal-sandbox.ts";

let sandbox: Awaited<ReturnType<typeof openPayPalSandbox>>;
let portal: HandledPortal;
let visitor: Visitor;
beforeAll(async () => {
  sandbox = await openPayPalSandbox();
  portal = await openHandledPortal(sandbox.environment);
  visitor = await portal.signIn("/billing");
});
afterAll(async () => {
  await portal.stop();
  await sandbox.stop();
});
afterEach(async () => {
  sandbox.clearFaults();
  const { portalService } = portal.backend;
  const listed = await portalService.listSubscriptions();
  for (const { id, state } of listed.ok ? listed.value.items : []) {
    if (state !== "CANCELLED" && state !== "EXPIRED")
      await portalService.cancelSubscription({ params: { subscriptionId: id } });
  }
});

/** The page of a subscription that was just approved. */
async function subscribed(plan: string): Promise<FormPage> {
  const page = await (await visitor.open("/billing")).submit(`Subscribe to ${plan}`);
  return await approve(page, "Approve at PayPal");
}

async function approve(page: FormPage, link: string, decision: "approve" | "cancel" = "approve"): Promise<FormPage> {
  return await visitor.open((await sandbox.decide(page.link(link), decision)).href);
}

test("a more expensive plan is confirmed, approved at PayPal and available at once", async () => {
  const page = await subscribed("Team");
  const billing = await visitor.open("/billing");
  expect(billing.text).not.toContain("cancel Team first");
  const confirm = await billing.follow("Change to Business");
  expect(confirm.heading).toBe("Change to Business");
  expect(confirm.text).toContain("You have Team for $49.00 a month.");
  expect(confirm.text).toContain("Business takes effect as soon as you approve it at PayPal.");
  expect(confirm.text).toContain("Your usage fits into Business");

  const requested = await confirm.submit("Change to Business for $199 a month");
  expect(requested.address).toBe(page.address);
  expect(requested.text).toContain("The change to Business is waiting for your approval");
  expect((await visitor.open("/billing")).text).toContain("Waiting for approval");
  const back = await sandbox.decide(requested.link("Approve the change"), "approve");
  const landed = await visitor.open(back.href);
  expect(landed.address).toBe(page.address);
  expect(landed.text).toContain("Business is active. Its limits apply now.");
  expect((await visitor.open(back.href)).address).toBe(page.address);
  expect((await visitor.open("/billing")).text).toContain("Change to Team");
});

test("a cheaper plan follows on its date, can be viewed and cancelled", async () => {
  const page = await subscribed("Business");
  const confirm = await (await visitor.open("/billing")).follow("Change to Team");
  expect(confirm.text).toMatch(/you keep Business until \d+ \w+ \d{4}, because it is paid for\./);
  const planned = await approve(await confirm.submit("Change to Team for $49 a month"), "Approve the change");
  expect(planned.text).toMatch(/Team follows on \d+ \w+ \d{4}\. Until then Business stays\./);
  const billing = await visitor.open("/billing");
  expect(billing.text).toMatch(/You have Business until .*, then Team for \$49\.00 a month\./);
  expect(billing.text).toMatch(/Team\s*From \d+ \w+ \d{4}/);

  const keep = await (await visitor.open(page.address)).follow("Keep Business");
  expect(keep.text).toContain("The planned change is then cancelled");
  const stored = await approve(await keep.submit("Keep Business"), "Approve the change");
  expect(stored.text).toContain("The next payment is on");
  expect(stored.text).toContain("The planned change was withdrawn: the plan stays Business.");
});

test("a requested change is cancelled without PayPal, and a missing approval is reported", async () => {
  await subscribed("Team");
  const confirm = await (await visitor.open("/billing")).follow("Change to Business");
  const requested = await confirm.submit("Change to Business");
  const declined = await approve(requested, "Approve the change", "cancel");
  expect(declined.text).toContain("You did not approve the change to Business at PayPal. Team continues as it is.");
  const taken = await declined.submit("Withdraw the change");
  expect(taken.text).toContain("The change was withdrawn. Your plan stays the same.");
  expect(taken.text).not.toContain("is waiting for your approval");
});

test("a change to Free says what remains until when, and only the button cancels", async () => {
  await subscribed("Team");
  const confirm = await (await visitor.open("/billing")).follow("Change to Free");
  expect(confirm.text).toMatch(
    /You keep Team until \d+ \w+ \d{4}, because it is paid for. After that, you have Free\./,
  );
  expect((await confirm.follow("Keep everything as it is")).text).toContain("Change the plan");
  const cancelled = await confirm.submit("Cancel the subscription");
  expect(cancelled.text).toContain("The subscription to Team is cancelled.");
  const again = await visitor.open(confirm.address);
  expect(again.text).toContain("This subscription is cancelled already");
});

test("everything over the new limits is listed with its numbers and its consequences", async () => {
  const { apiRegistry } = portal.backend;
  const document = (title: string) =>
    JSON.stringify({ openapi: "3.1.0", info: { title, version: "1" }, paths: { "/": { get: { responses: {} } } } });
  for (const title of ["One", "Two", "Three"])
    await apiRegistry.registerApi({ body: { source: { document: document(title) } } });
  await subscribed("Team");
  const confirm = async () => await (await visitor.open("/billing")).follow("Change to Free");
  await expect.poll(async () => (await confirm()).rows("APIs")).toEqual([expect.stringMatching(/^APIs\s*3\s*2\s*All/)]);
  expect((await confirm()).text).toContain("Nothing is deleted, and results are kept as long as before.");
});

test("P07: while PayPal is not responding a change is stored, and requested again", async () => {
  await subscribed("Team");
  const confirm = await (await visitor.open("/billing")).follow("Change to Business");
  sandbox.switchOn({ kind: "status", status: 500, call: "POST /v1/billing", after: false, times: 1_000 });
  const waiting = await confirm.submit("Change to Business");
  expect(waiting.text).toContain("PayPal has not confirmed the change to Business yet");
  sandbox.clearFaults();
  expect((await waiting.submit("Try again")).link("Approve the change")).toContain("ba_token=");
});

test("P10: a plan that does not exist, or is the current one, is refused with a message", async () => {
  const page = await subscribed("Team");
  expect((await visitor.open(`${page.address}/plan?serviceId=gold`)).status).toBe(404);
  expect((await visitor.open(`${page.address}/plan?serviceId=team`)).text).toContain("Team is already your plan.");
  const refused = await visitor.post(`${page.address}/plan`, { serviceId: "team", intent: "change" });
  expect(refused.text).toContain("You already have this plan.");
});
