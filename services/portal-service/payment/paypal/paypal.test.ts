import { afterEach, beforeEach, expect, test } from "vitest";
import { createEgress, type Egress, parseEgressAllow } from "#libraries/egress/egress.ts";
import { type RunningSandbox, startSandbox } from "../../../../tests/support/paypal/running-sandbox.ts";
import type { Database } from "../../../kit/database/database.ts";
import { testEngines } from "../../../kit/testing/databases.ts";
import type { PaymentProvider } from "../provider.ts";
import { createPayPal } from "./paypal.ts";

const webhook = { id: "WHOURS1", url: "" };
const ways = { returnUrl: "https://portal.example/subscriptions/paypal/return", cancelUrl: "https://portal.example/c" };
const team = {
  productId: "API-ASSURANCE",
  productName: "API assurance",
  name: "Team",
  description: "For a team that depends on its APIs every day.",
  price: { minorUnits: 4_900, currency: "USD" },
  trialDays: 0,
};

let database: Database;
let sandbox: RunningSandbox;
let egress: Egress;
let paypal: PaymentProvider;
let received: { headers: Headers; body: Uint8Array }[];

beforeEach(async () => {
  database = await testEngines()[0]!.open();
  received = [];
  sandbox = await startSandbox(database, {
    webhooks: () => [webhook],
    post: async (_url, headers, body) => {
      received.push({ headers: new Headers(headers), body: Buffer.from(body) });
      return 200;
    },
  });
  egress = createEgress({
    policy: { allow: parseEgressAllow(`127.0.0.1:${sandbox.port}`), allowLoopback: false, ownTargets: [] },
  });
  paypal = createPayPal({
    apiUrl: sandbox.base,
    clientId: sandbox.clientId,
    clientSecret: sandbox.clientSecret,
    webhookId: webhook.id,
    egress,
    clock: sandbox.clock,
    pause: async () => {},
  });
});

afterEach(async () => {
  await egress.close();
  await sandbox.stop();
  await database.close();
});

async function order(requestId = "order-1", customId = "ours-1") {
  const planId = await paypal.createPlan(team, "plan-team-1");
  return await paypal.createSubscription({ planId, customId, requestId, brandName: "Portal", ...ways });
}

const day = 86_400_000;

test("a subscription is created, approved, billed monthly and cancelled as PayPal documents it", async () => {
  const made = await order();
  expect(made).toMatchObject({ state: "APPROVAL_PENDING", customId: "ours-1", lastPayment: null });
  const back = await sandbox.decide(made.approveUrl!, "approve");
  expect(back.origin + back.pathname).toBe(ways.returnUrl);
  expect([...back.searchParams.keys()]).toEqual(["subscription_id", "ba_token", "token"]);
  expect(back.searchParams.get("subscription_id")).toBe(made.id);

  expect(await paypal.findSubscription(made.id)).toMatchObject({
    state: "ACTIVE",
    customId: "ours-1",
    lastPayment: { amount: { minorUnits: 4_900, currency: "USD" } },
    // 31 March plus one month.
    nextBillingAt: new Date("2026-04-30T10:00:00Z"),
    approveUrl: null,
  });
  sandbox.clock.advance(61 * day);
  const payments = await paypal.listPayments(made.id, new Date("2026-03-01"), sandbox.clock.now());
  expect(payments.map(({ state, amount }) => [state, amount.minorUnits])).toEqual(Array(3).fill(["COMPLETED", 4_900]));
  await paypal.cancelSubscription(made.id, "Not needed any more");
  expect(await paypal.findSubscription(made.id)).toMatchObject({ state: "CANCELLED", nextBillingAt: null });
  expect(await paypal.listReported(new Date("2026-03-01"), sandbox.clock.now())).toEqual({
    ...{ subscriptionIds: [made.id], refunds: [] },
  });
  expect(sandbox.faults).toEqual([]);
});

test("a bank that declines leads to suspension after three months, and arrears are paid once it pays again", async () => {
  const made = await order();
  await sandbox.decide(made.approveUrl!, "approve-declining");
  expect(await paypal.findSubscription(made.id)).toMatchObject({ state: "ACTIVE", failedPayments: 1 });
  sandbox.clock.advance(62 * day);
  expect(await paypal.findSubscription(made.id)).toMatchObject({
    state: "SUSPENDED",
    failedPayments: 3,
    outstanding: { minorUnits: 14_700, currency: "USD" },
  });
  await paypal.activateSubscription(made.id, "Paid by another card");
  expect(await paypal.findSubscription(made.id)).toMatchObject({ state: "ACTIVE" });
  expect(sandbox.faults).toEqual([]);
});

test("a plan with a trial bills nothing before its end", async () => {
  const planId = await paypal.createPlan({ ...team, trialDays: 14 }, "plan-trial");
  const made = await paypal.createSubscription({ planId, customId: "x", requestId: "t", brandName: "P", ...ways });
  await sandbox.decide(made.approveUrl!, "approve");
  sandbox.clock.advance(13 * day);
  expect(await paypal.findSubscription(made.id)).toMatchObject({ state: "ACTIVE", lastPayment: null });
  sandbox.clock.advance(day);
  expect(await paypal.findSubscription(made.id)).toMatchObject({ lastPayment: { amount: { minorUnits: 4_900 } } });
  expect(sandbox.faults).toEqual([]);
});

test("another plan takes effect when the buyer approved it", async () => {
  const made = await order();
  await sandbox.decide(made.approveUrl!, "approve");
  const business = { ...team, name: "Business", price: { minorUnits: 19_900, currency: "USD" } };
  const planId = await paypal.createPlan(business, "plan-business-1");
  const approveUrl = await paypal.changePlan(made.id, { planId, requestId: "change-1", ...ways });
  expect(await paypal.findSubscription(made.id)).toMatchObject({ planId: made.planId });
  await sandbox.decide(approveUrl!, "approve");
  expect(await paypal.findSubscription(made.id)).toMatchObject({ planId });
  sandbox.clock.advance(30 * day);
  expect(await paypal.findSubscription(made.id)).toMatchObject({ lastPayment: { amount: { minorUnits: 19_900 } } });
  expect(sandbox.faults).toEqual([]);
});

test("repeated requests for another plan lead to one approval", async () => {
  const made = await order();
  await sandbox.decide(made.approveUrl!, "approve");
  const planId = await paypal.createPlan({ ...team, name: "Business" }, "plan-business-1");
  const wanted = { planId, requestId: "change-1", ...ways };
  const call = `POST /v1/billing/subscriptions/${made.id}/revise`;
  for (const kind of ["status", "malformed"] as const)
    sandbox.switchOn({ kind, call, after: true, times: 1, ...(kind === "status" ? { status: 500 } : {}) } as never);
  await expect(paypal.changePlan(made.id, wanted)).rejects.toMatchObject({ kind: "away" });
  const requested = await Promise.all(Array.from({ length: 20 }, () => paypal.changePlan(made.id, wanted)));
  expect(new Set(requested).size).toBe(1);
  expect(new URL(requested[0]!).pathname).toBe("/webapps/billing/subscriptions/update");
  // PayPal publishes two wordings of a 500; that of revise differs from all other endpoints.
  expect(sandbox.faults.filter((error) => !error.includes(" 500: /message"))).toEqual([]);
});

test("no request changes plans of another product or currency, or ended subscriptions", async () => {
  const made = await order();
  await sandbox.decide(made.approveUrl!, "approve");
  const change = async (plan: typeof team, requestId: string) =>
    await paypal
      .changePlan(made.id, { planId: await paypal.createPlan(plan, requestId), requestId, ...ways })
      .catch(({ kind, issues }) => [kind, ...issues]);
  expect(await change({ ...team, productId: "ANOTHER-PRODUCT" }, "p1")).toEqual([
    "refused",
    "PLAN_PRODUCT_NOT_COMPATIBLE",
  ]);
  expect(await change({ ...team, price: { minorUnits: 1, currency: "EUR" } }, "p2")).toEqual([
    "refused",
    "CURRENCY_MISMATCH",
  ]);
  expect(sandbox.faults).toEqual([]);
  await paypal.cancelSubscription(made.id, "over");
  expect(await change(team, "p3")).toEqual(["refused", "SUBSCRIPTION_STATUS_INVALID"]);
});

test("P06: fifty requests with one request id create one subscription, even when the response was lost", async () => {
  const planId = await paypal.createPlan(team, "plan-team-1");
  const wanted = { planId, customId: "ours-1", requestId: "order-1", brandName: "Portal", ...ways };
  sandbox.switchOn({ kind: "status", status: 500, call: "POST /v1/billing/subscriptions", after: true, times: 2 });
  const made = await Promise.all(Array.from({ length: 50 }, () => paypal.createSubscription(wanted)));
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  expect(await paypal.createPlan(team, "plan-team-1")).toBe(planId);
});

test("P07: an expired token is renewed once, a busy PayPal is retried, and a refused call is not", async () => {
  const made = await order();
  const count = (call: string) => sandbox.calls.filter((one) => one === call).length;
  const read = `GET /v1/billing/subscriptions/${made.id}`;

  expect(count("POST /v1/oauth2/token")).toBe(1);
  sandbox.switchOn({ kind: "status", status: 401, call: read, after: false, times: 1 });
  await paypal.findSubscription(made.id);
  expect(count("POST /v1/oauth2/token")).toBe(2);
  sandbox.clock.advance(10 * 3_600_000);
  await paypal.findSubscription(made.id);
  expect(count("POST /v1/oauth2/token")).toBe(3);

  for (const status of [429, 500, 503] as const)
    sandbox.switchOn({ kind: "status", status, call: read, after: false, times: 1 });
  await expect(paypal.findSubscription(made.id)).rejects.toMatchObject({ kind: "away" });
  await expect(paypal.findSubscription(made.id)).resolves.toMatchObject({ state: "APPROVAL_PENDING" });
  sandbox.switchOn({ kind: "malformed", call: read, after: true, times: 1 });
  await expect(paypal.findSubscription(made.id)).rejects.toMatchObject({ kind: "away" });

  const cancel = `POST /v1/billing/subscriptions/${made.id}/cancel`;
  await expect(paypal.cancelSubscription(made.id, "x")).rejects.toMatchObject({
    kind: "refused",
    issues: ["SUBSCRIPTION_STATUS_INVALID"],
  });
  expect(count(cancel)).toBe(1);
  expect(await paypal.findSubscription("I-UNKNOWN")).toBeUndefined();
});

test("wrong credentials are reported without the secret", async () => {
  const other = createPayPal({
    apiUrl: sandbox.base,
    clientId: "client",
    clientSecret: "not the secret",
    webhookId: webhook.id,
    egress,
    clock: sandbox.clock,
  });
  const failure = await other.findSubscription("I-X").catch((error: Error) => error);
  expect(failure).toMatchObject({ kind: "refused" });
  expect(String(failure)).not.toContain("not the secret");
});

test("P02: a webhook is accepted only as sent: any other byte, id, header or webhook is not", async () => {
  const made = await order();
  await sandbox.decide(made.approveUrl!, "approve");
  await sandbox.turn();
  expect(received.map(({ body }) => JSON.parse(Buffer.from(body).toString()).event_type)).toEqual([
    "BILLING.SUBSCRIPTION.CREATED",
    "BILLING.SUBSCRIPTION.ACTIVATED",
    "PAYMENT.SALE.COMPLETED",
  ]);
  const [first, second] = received as [(typeof received)[number], (typeof received)[number]];
  expect(await paypal.verifyWebhook(first.headers, first.body)).toBe(true);

  const text = Buffer.from(first.body).toString();
  const forged = [
    text.replace("CREATED", "CANCELLED"),
    JSON.stringify(JSON.parse(text), null, 2),
    ` ${text}\n`.replace("{", "{ "),
    `{},"webhook_id":"WHOTHER","webhook_event":${text}`,
    "",
    "[]",
    "null",
  ];
  for (const body of forged) expect(await paypal.verifyWebhook(first.headers, Buffer.from(body)), body).toBe(false);
  expect(await paypal.verifyWebhook(second.headers, first.body)).toBe(false);
  for (const name of first.headers.keys()) {
    if (!name.startsWith("paypal-")) continue;
    const without = new Headers(first.headers);
    without.delete(name);
    expect(await paypal.verifyWebhook(without, first.body), name).toBe(false);
  }
  const elsewhere = new Headers(first.headers);
  elsewhere.set("paypal-transmission-sig", second.headers.get("paypal-transmission-sig")!);
  expect(await paypal.verifyWebhook(elsewhere, first.body)).toBe(false);
  expect(sandbox.faults).toEqual([]);
});
