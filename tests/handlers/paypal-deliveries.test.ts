import { afterAll, beforeAll, expect, test } from "vitest";
import { joinAs } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { openPayPalSandbox } from "../support/paypal-sandbox.ts";

const list = "/administration/system/paypal-deliveries";

let sandbox: Awaited<ReturnType<typeof openPayPalSandbox>>;
let portal: HandledPortal;
let operator: Visitor;
beforeAll(async () => {
  sandbox = await openPayPalSandbox();
  portal = await openHandledPortal(sandbox.environment);
  operator = await portal.signIn();
});
afterAll(async () => {
  await portal.stop();
  await sandbox.stop();
});

/** A forged delivery. */
async function forge(): Promise<number> {
  const { receivePayPalWebhook } = portal.backend.portalService;
  return (await receivePayPalWebhook({ body: { id: "WH-1", event_type: "X" } })).status;
}

test("before the first delivery the page says what to check, and a forged delivery is listed as refused", async () => {
  const empty = await (await operator.open("/administration")).follow("PayPal's deliveries");
  expect(empty.text).toContain("PayPal has not sent anything yet");
  expect(await forge()).toBe(400);
  const page = await operator.open(list);
  expect(page.text).toContain("1 delivery refused in the last 24 hours");
  expect(page.rows("Refused")).toEqual([expect.stringContaining("headers of PayPal's signature were missing")]);
  const one = await page.follow("Something unreadable");
  expect(one.text).toContain("Nothing changed.");
  expect(one.text).not.toContain("Check with PayPal again");
  expect((await operator.post(one.address, {})).status).toBe(400);
  expect((await page.submit("Filter", { outcome: "believed" })).text).toContain("No matching deliveries");
  expect((await operator.open(`${list}/WH-0`)).status).toBe(404);
});

test("T01: a user who is no operator sees no delivery", async () => {
  const editor = await joinAs(portal, "EDITOR");
  for (const address of [list, `${list}/WH-0`]) expect((await editor.open(address)).status).toBe(403);
  expect((await portal.visit().open(list)).heading).toBe("Login");
});
