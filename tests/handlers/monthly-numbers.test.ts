import { afterAll, beforeAll, expect, test } from "vitest";
import { joinAs } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { openPayPalSandbox } from "../support/paypal-sandbox.ts";

const list = "/administration/system/monthly";

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

test("the months are in a plot, a table and a file, from the first subscription on", async () => {
  const empty = await (await operator.open("/administration")).follow("Monthly numbers");
  expect(empty.text).toContain("No sales yet");
  const waiting = await (await operator.open("/billing")).submit("Subscribe to Team");
  await operator.open((await sandbox.decide(waiting.link("Approve at PayPal"), "approve")).href);
  const page = await operator.open(list);
  expect(page.heading).toBe("Monthly numbers");
  expect(page.rows("Active at the end")).toHaveLength(1);
  expect(page.html).toContain("<svg");
  expect(page.rows("$49.00")).toContainEqual(expect.stringMatching(/1.*0.*1.*\$49\.00.*\$0\.00/));
  const file = await page.follow("Download as CSV");
  expect(file.headers.get("content-type")).toContain("text/csv");
  expect(file.html).toMatch(/^month,currency,began,.*\r\n\d{4}-\d\d,USD,1,0,1,4900,0\r\n/);
  expect((await operator.open(`${list}.csv?months=24`)).html.trim().split("\r\n")).toHaveLength(25);
});

test("T01: a user who is no operator sees no numbers", async () => {
  const editor = await joinAs(portal, "EDITOR");
  for (const address of [list, `${list}.csv`]) expect((await editor.open(address)).status).toBe(403);
});
