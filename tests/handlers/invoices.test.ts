import { afterAll, beforeAll, expect, test } from "vitest";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { openPayPalSandbox } from "../support/paypal-sandbox.ts";

let sandbox: Awaited<ReturnType<typeof openPayPalSandbox>>;
let portal: HandledPortal;
let visitor: Visitor;
beforeAll(async () => {
  sandbox = await openPayPalSandbox();
  portal = await openHandledPortal(sandbox.environment);
  visitor = await portal.signIn("/billing");
  const page = await (await visitor.open("/billing")).submit("Subscribe to Team");
  await visitor.open((await sandbox.decide(page.link("Approve at PayPal"), "approve")).href);
});
afterAll(async () => {
  await portal.stop();
  await sandbox.stop();
});

test("an address has the fields of its country, and errors are reported at them with the input kept", async () => {
  const billing = await visitor.open("/billing");
  const start = await billing.follow("Billing address");
  expect(start.text).not.toContain("Save the address");
  const ireland = await start.submit("Show the fields", { country: "IE" });
  expect(ireland.text).toContain("Eircode");
  const refused = await ireland.submit("Save the address", {
    organization: "Books Ltd",
    street: "1 Main Street",
    postalCode: "12345",
  });
  expect(refused.status).toBe(422);
  expect(refused.errors("city")).toBe("Enter the city");
  expect(refused.errors("postalCode")).toBe("Enter an Eircode, e.g. A65 F4E2");
  expect(refused.value("street")).toBe("1 Main Street");
  const saved = await refused.submit("Save the address", { city: "Dublin", postalCode: "D02 AF30", vatId: "IE1" });
  expect(saved.address).toBe("/billing");
  expect(saved.text).toContain("The billing address was saved.");
  expect((await visitor.open("/billing/address")).value("postalCode")).toBe("D02 AF30");
  expect((await visitor.open("/billing/address?country=US")).text).toContain("ZIP code");
  expect((await visitor.open("/billing/address?country=../x")).text).not.toContain("Save the address");
});

test("another country has other fields, and switching back restores the earlier input", async () => {
  const ireland = await visitor.open("/billing/address?country=IE");
  const typed = { organization: "Typed Ltd", street: "2 Main Street", city: "Cork", postalCode: "T12 A1B2" };
  const germany = await ireland.submit("Change the country", { ...typed, country: "DE", vatId: "IE2" });
  expect([germany.status, germany.text.includes("Eircode")]).toEqual([200, false]);
  expect(["organization", "street", "city", "vatId"].map((name) => germany.value(name))).toEqual([
    ...["Typed Ltd", "2 Main Street", "Cork", "IE2"],
  ]);
  expect(germany.text).not.toContain("There is a problem");
  const america = await germany.submit("Change the country", { country: "US" });
  expect(america.text).toContain("ZIP code");
  const refused = await america.submit("Save the address");
  expect([refused.status, refused.errors("area")]).toEqual([422, "Choose the state"]);
  expect(refused.value("street")).toBe("2 Main Street");
});

test("a payment has an invoice with seller, buyer, plan, period and amount", async () => {
  const invoice = await (await visitor.open("/billing")).follow("Invoice of payment");
  expect(invoice.heading).toMatch(/^Invoice \w+$/);
  for (const words of ["Books Ltd", "1 Main Street", "D02 AF30", "Ireland", "VAT number IE1", "plan Team", "$49.00"])
    expect(invoice.text).toContain(words);
  expect(invoice.text).toContain("Total $49.00");
  expect(invoice.text).toMatch(/\d+ \w+ \d{4} – \d+ \w+ \d{4}/);
});

test("T02: another organization's payment has no invoice, nor has one that does not exist", async () => {
  expect((await visitor.open("/billing/invoices/8MC585209K746392H")).status).toBe(404);
  const stranger = await portal.visit().open("/billing/invoices/8MC585209K746392H");
  expect(stranger.heading).toBe("Login");
});
