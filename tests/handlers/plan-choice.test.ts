import { afterAll, beforeAll, expect, test } from "vitest";
import type { FormPage } from "../support/form-page.ts";
import { completeAccount, mailedLink, newcomer, newPassword } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";

let portal: HandledPortal;
beforeAll(async () => {
  portal = await openHandledPortal();
});
afterAll(() => portal.stop());

const modal = "Action Required";

/** Somebody who registered an organization without choosing a plan, on the dashboard for the first time. */
async function register(): Promise<{ visitor: Visitor; username: string; dashboard: FormPage }> {
  const person = newcomer();
  const visitor = portal.visit();
  const form = await visitor.open("/create-account-organization");
  await form.submit("Mail me the link", { email: person.email, organizationName: "Bookshop" });
  const completing = await visitor.open(await mailedLink(portal, person.email, /registration/i));
  const login = await completeAccount(completing, portal, person);
  const dashboard = await login.submit("log in", { password: newPassword });
  return { visitor, username: person.username, dashboard };
}

test("Skip leads back to the page, and the same is asked after no other sign-in of that day", async () => {
  const { dashboard, visitor, username } = await register();
  expect(dashboard.text).toContain("Choose a plan");
  const skipped = await dashboard.submit("Skip");
  expect([skipped.address, skipped.text.includes(modal)]).toEqual(["/dashboard", false]);
  await skipped.submit("Logout");
  const again = await (await visitor.open("/login")).submit("Login", { username, password: newPassword });
  expect([again.address, again.text.includes(modal)]).toEqual(["/dashboard", false]);
});

test("Don't Show Again is for good, and a notice of the dashboard goes when it is dismissed", async () => {
  const { dashboard } = await register();
  const answered = await dashboard.submit("Don't Show Again");
  expect([answered.address, answered.text.includes(modal)]).toEqual(["/dashboard", false]);
  expect(answered.text).toContain("Register your first API");
  const dismissed = await answered.submit("Dismiss");
  expect(dismissed.address).toBe("/dashboard");
  expect(dismissed.text).not.toContain("Welcome to API Assurance");
});

test("who operates the installation is asked for no plan, and sees the plans in billing", async () => {
  const operator = await portal.signIn("/dashboard");
  expect((await operator.open("/dashboard")).text).not.toContain(modal);
  const billing = await operator.open("/billing");
  expect(billing.text).toContain("No plan chosen yet");
  const contact = await billing.follow("Request Business");
  expect(contact.address).toBe("/contact?subject=Change%20to%20the%20plan%20Business");
});
