import { requireValue } from "../../services/kit/client/client.ts";
import { openPayPalSandbox } from "../support/paypal-sandbox.ts";
import { signInToBackend } from "../support/portal-backend.ts";
import { becomeSignedIn, expect, test } from "../support/portal-test.ts";
import { startPostgresPortal } from "../support/postgres-portal.ts";
import { visitAll } from "../support/visit-all.ts";

test("axe finds nothing on a subscription in any state, when PayPal does not respond, or on the sandbox's pages", async ({
  browser,
}) => {
  const sandbox = await openPayPalSandbox();
  const portal = await startPostgresPortal(sandbox.environment);
  const { portalService } = await signInToBackend(portal);
  const page = await (await browser.newContext({ baseURL: portal.origin })).newPage();
  await becomeSignedIn(page, portal);

  const subscribe = async () =>
    requireValue(await portalService.createSubscription({ body: { serviceId: "team" } }), "subscribing");
  const made = await subscribe();
  const subscriptionId = made.id;
  const own = `/subscriptions/${subscriptionId}`;
  const { id: atPayPal } = (await sandbox.subscriptions())[0]!;
  await visitAll(page, ["/billing", own, `${own}?dialog=cancel`, made.approveUrl!]);

  const back = await sandbox.decide(made.approveUrl!, "approve-declining");
  sandbox.switchOn({ kind: "status", status: 503, call: "GET /v1/billing", after: false, times: 1_000 });
  await page.goto(back.pathname + back.search);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("PayPal is not responding");
  await visitAll(page, [page.url(), made.approveUrl!]);
  sandbox.clearFaults();

  for (const status of ["ACTIVE", "SUSPENDED"] as const) {
    await sandbox.tamper(atPayPal, { status });
    requireValue(await portalService.askProvider({ params: { subscriptionId } }), "asking");
    await visitAll(page, ["/billing", own, `${own}?dialog=cancel`, `${own}/plan?serviceId=free`]);
  }
  const operated = "/administration/system";
  const compare = async () => {
    const { state } = requireValue(await portalService.getSubscription({ params: { subscriptionId } }), "reading");
    await sandbox.tamper(atPayPal, { status: state === "ACTIVE" ? "SUSPENDED" : "ACTIVE" });
    const { id } = requireValue(await portalService.createReconciliation({}), "comparing");
    const read = async () =>
      requireValue(await portalService.getReconciliation({ params: { reconciliationId: id } }), "waiting");
    await expect.poll(async () => (await read()).endedAt).not.toBeNull();
    return await read();
  };
  let reconciliation = await compare();
  // No differences where the portal has asked automatically meanwhile.
  while (reconciliation.differing === 0) reconciliation = await compare();
  // Unsigned, so refused.
  await portalService.receivePayPalWebhook({ body: { id: "WH-1", event_type: "X" } });
  const { items: deliveries } = requireValue(await portalService.listDeliveries({ query: {} }), "listing deliveries");
  const { items: payments } = requireValue(await portalService.listPayments({ query: {} }), "listing payments");
  await visitAll(page, [
    `/billing/invoices/${payments[0]!.id}`,
    `${own}/plan?serviceId=business`,
    `${operated}/reconciliations/${reconciliation.id}`,
    `${operated}/subscriptions`,
    `${operated}/subscriptions/${subscriptionId}`,
    `${operated}/paypal-deliveries`,
    `${operated}/paypal-deliveries/${deliveries[0]!.id}`,
  ]);
  sandbox.switchOn({ kind: "status", status: 503, call: "POST /v1/billing", after: false, times: 1_000 });
  requireValue(await portalService.cancelSubscription({ params: { subscriptionId } }), "cancelling");
  await visitAll(page, [own]);
  sandbox.clearFaults();
  for (const status of ["CANCELLED", "EXPIRED"] as const) {
    await sandbox.tamper(atPayPal, { status });
    requireValue(await portalService.askProvider({ params: { subscriptionId } }), "asking");
    await visitAll(page, ["/billing", own]);
  }
  sandbox.switchOn({ kind: "status", status: 503, call: "POST /v1/billing", after: false, times: 1_000 });
  const waiting = await subscribe();
  await visitAll(page, [`/subscriptions/${waiting.id}`]);
  sandbox.clearFaults();

  await page.context().close();
  await portal.stop();
  await sandbox.stop();
});
