import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { FormPage } from "../support/form-page.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { openPayPalSandbox } from "../support/paypal-sandbox.ts";

let sandbox: Awaited<ReturnType<typeof openPayPalSandbox>>;
let portal: HandledPortal;
beforeAll(async () => {
  sandbox = await openPayPalSandbox();
  portal = await openHandledPortal(sandbox.environment);
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

async function subscribe(visitor: Visitor): Promise<{ page: FormPage; approve: string }> {
  const billing = await visitor.open("/billing");
  const page = await billing.submit("Subscribe to Team");
  return { page, approve: page.link("Approve at PayPal") };
}

test("a plan is subscribed to, approved at PayPal, displayed with its payment, and cancelled", async () => {
  const visitor = await portal.signIn("/billing");
  const { page, approve } = await subscribe(visitor);
  expect(page.address).toMatch(/^\/subscriptions\/[\da-f-]{36}$/);
  expect(page.text).toContain("Waiting for approval");
  expect(page.text).toContain("Nothing is charged until you approve the subscription at PayPal.");

  const back = await sandbox.decide(approve, "approve");
  const landed = await visitor.open(back.href);
  expect(landed.address).toBe(page.address);
  expect(landed.text).toContain("Team is active. Its limits apply now.");
  expect((await visitor.open(back.href)).address).toBe(page.address);

  const billing = await visitor.open("/billing");
  expect(billing.text).toContain("The next payment is on");
  expect(billing.rows("Paid")).toEqual([expect.stringContaining("$49.00")]);
  expect(billing.text).not.toContain("Subscribe to Business");

  const requested = await visitor.open(`${page.address}?dialog=cancel`);
  expect(requested.text).toContain("Nothing is deleted.");
  const cancelled = await requested.submit("Cancel the subscription");
  expect(cancelled.text).toContain("The subscription to Team is cancelled.");
  expect(cancelled.text).toContain("You keep what you paid for until");
  expect((await visitor.open("/billing")).text).toContain("Subscribe to Business");
});

test("a user whose session ended at PayPal signs in and reaches the requested page, and no address contains a token", async () => {
  const { approve, page } = await subscribe(await portal.signIn("/billing"));
  const back = await sandbox.decide(approve, "approve");
  const stranger = portal.visit();
  const login = await stranger.open(back.href);
  expect(login.heading).toBe("Login");
  for (const token of ["ba_token", "token", "subscription_id"]) {
    expect(decodeURIComponent(login.address)).not.toContain(back.searchParams.get(token));
  }
  const landed = await login.submit("log in", portal.administrator);
  expect(landed.address).toBe(page.address);
  expect(landed.text).toContain("Team is active.");
});

test("a cancelled approval is reported, and can still be given", async () => {
  const visitor = await portal.signIn("/billing");
  const { approve, page } = await subscribe(visitor);
  const back = await sandbox.decide(approve, "cancel");
  const landed = await visitor.open(back.href);
  expect(landed.address).toBe(page.address);
  expect(landed.text).toContain("You did not approve Team at PayPal, so nothing was charged.");
  const second = await sandbox.decide(landed.link("Approve at PayPal"), "approve");
  expect((await visitor.open(second.href)).text).toContain("Team is active.");
});

test("P01: another user's approval is refused with a message, and nothing changes", async () => {
  const visitor = await portal.signIn("/billing");
  const { page } = await subscribe(visitor);
  for (const search of ["subscription_id=I-AAAA", "ba_token=BA-AAAA&token=x", "subscription_id=I-A&ba_token=BA-A"]) {
    const landed = await visitor.open(`/subscriptions/paypal/return?${search}`);
    expect(landed.address).toBe("/billing");
    expect(landed.text).toContain("This approval does not belong to any subscription of your organization.");
  }
  expect((await visitor.open("/subscriptions/paypal/return")).address).toBe("/billing");
  expect((await visitor.open("/subscriptions/paypal/return?hint=made-up")).address).toBe("/billing");
  expect((await visitor.open(page.address)).text).toContain("Waiting for approval");
});

test("P07: while PayPal is not responding the page explains the consequences, and asks again once it does", async () => {
  const visitor = await portal.signIn("/billing");
  const { approve } = await subscribe(visitor);
  const back = await sandbox.decide(approve, "approve");
  sandbox.switchOn({ kind: "status", status: 503, call: "GET /v1/billing", after: false, times: 1_000 });
  const landed = await visitor.open(back.href);
  expect(landed.heading).toBe("PayPal is not responding");
  expect(landed.text).toContain("you won't be charged twice");
  expect(landed.address).not.toContain(back.searchParams.get("ba_token")!);
  sandbox.clearFaults();
  expect((await visitor.open(landed.link("Check again"))).text).toContain("Team is active.");
});

test("P07: a plan that PayPal can't accept now waits, says so, and is submitted when it can", async () => {
  const visitor = await portal.signIn("/billing");
  sandbox.switchOn({ kind: "status", status: 500, call: "POST /v1/billing/subscriptions", after: false, times: 1_000 });
  const waiting = await (await visitor.open("/billing")).submit("Subscribe to Team");
  expect(waiting.text).toContain("PayPal is not responding. Nothing is charged");
  expect(waiting.text).toContain("Waiting for PayPal");
  sandbox.clearFaults();
  expect((await waiting.submit("Try again")).link("Approve at PayPal")).toContain("ba_token=");
});
