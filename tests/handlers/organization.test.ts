import { afterAll, beforeAll, expect, test } from "vitest";
import { joinAs } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { openPayPalSandbox } from "../support/paypal-sandbox.ts";

let sandbox: Awaited<ReturnType<typeof openPayPalSandbox>>;
let portal: HandledPortal;
let visitor: Visitor;
beforeAll(async () => {
  sandbox = await openPayPalSandbox();
  portal = await openHandledPortal(sandbox.environment);
  visitor = await portal.signIn();
});
afterAll(async () => {
  await portal.stop();
  await sandbox.stop();
});

test("an administrator changes the organization's name, and errors are reported at the field", async () => {
  const page = await visitor.open("/organization");
  const refused = await page.submit("Save the name", { name: "B" });
  expect([refused.status, refused.value("name")]).toEqual([422, "B"]);
  expect(refused.errors("name")).toBe("An organization's name has at least 2 characters");
  const saved = await refused.submit("Save the name", { name: "Books Ltd" });
  expect([saved.heading, saved.text.includes("The organization is now called Books Ltd.")]).toEqual([
    "Books Ltd",
    true,
  ]);
  expect((await visitor.open("/billing")).text).toContain("Plan and usage of Books Ltd");
});

test("the billing address is displayed as in billing, where it is changed", async () => {
  const empty = await visitor.open("/organization");
  expect(empty.text).toContain("None yet. It is printed on invoices.");
  await (await empty.follow("Enter the address")).submit("Show the fields", { country: "IE" });
  const fields = await visitor.open("/billing/address?country=IE");
  await fields.submit("Save the address", {
    ...{ organization: "Books Ltd", street: "1 Main Street", city: "Dublin", postalCode: "D02 AF30" },
  });
  const page = await visitor.open("/organization");
  expect(page.text).toContain("1 Main Street");
  expect((await page.follow("Change the address")).value("city")).toBe("Dublin");
});

test("members are counted, the first ones named; plan and usage are displayed", async () => {
  const viewer = await joinAs(portal, "VIEWER");
  const page = await visitor.open("/organization");
  expect(page.rows("Ada Lovelace")[0]).toContain("Viewer");
  expect(page.text).toContain("Executions this month");
  expect((await page.follow("All users")).heading).toBe("Users");
  const seen = await viewer.open("/organization");
  expect([seen.status, seen.heading]).toEqual([200, "Books Ltd"]);
  expect(seen.text).not.toMatch(/Save the name|All users|Billing address/);
  expect((await viewer.post("/organization", { name: "Mine" })).status).toBe(403);
  expect((await visitor.open("/organization")).heading).toBe("Books Ltd");
});
