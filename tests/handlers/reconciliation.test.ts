import { afterAll, beforeAll, expect, test } from "vitest";
import { joinAs } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { openPayPalSandbox } from "../support/paypal-sandbox.ts";

const list = "/administration/system/reconciliations";

let sandbox: Awaited<ReturnType<typeof openPayPalSandbox>>;
let portal: HandledPortal;
let operator: Visitor;
beforeAll(async () => {
  sandbox = await openPayPalSandbox();
  // PayPal's webhooks are not received: only the reconciliation finds differences.
  sandbox.switchOn({ kind: "status", status: 503, call: "GET /v1/notifications", after: false, times: 100_000 });
  portal = await openHandledPortal(sandbox.environment);
  operator = await portal.signIn();
});
afterAll(async () => {
  await portal.stop();
  await sandbox.stop();
});

test("the operator reconciles now, and reads the stored and PayPal's value of each difference", async () => {
  const empty = await (await operator.open("/administration")).follow("Reconciliation");
  expect(empty.text).toContain("No reconciliations yet");
  const waiting = await (await operator.open("/billing")).submit("Subscribe to Team");
  const back = await sandbox.decide(waiting.link("Approve at PayPal"), "approve");
  await operator.open(back.href);
  await sandbox.tamper(back.searchParams.get("subscription_id")!, { status: "CANCELLED" });
  const begun = await empty.submit("Reconcile now");
  expect(begun.text).toContain("Reconciling.");
  await expect.poll(async () => (await operator.open(begun.address)).text).toContain("Updated to PayPal's data");
  const done = await operator.open(begun.address);
  expect(done.rows("Active")).toContainEqual(expect.stringContaining("Cancelled"));
  expect((await operator.open(list)).rows("An operator")).toEqual([expect.stringMatching(/Differences.*1.*1.*0/)]);
  expect((await done.follow("Show the subscription")).text).toContain("Cancelled.");
});

test("T01: a user who is no operator sees no reconciliation", async () => {
  const editor = await joinAs(portal, "EDITOR");
  for (const address of [list, `${list}/0198c1f4-7a3e-7c41-9d55-3f0a6b2c8e10`])
    expect((await editor.open(address)).status).toBe(403);
  expect((await operator.open(`${list}/0198c1f4-7a3e-7c41-9d55-3f0a6b2c8e10`)).status).toBe(404);
});
