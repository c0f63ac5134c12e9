import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import type { FormPage } from "../support/form-page.ts";
import { completeAccount, mailedLink, newcomer, newPassword } from "../support/handled-newcomer.ts";
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

const modal = "Action Required";

/** A user who registered an organization and signed in for the first time, and the page that this led to. */
async function register(serviceId?: string): Promise<{ visitor: Visitor; username: string; landed: FormPage }> {
  const person = newcomer();
  const visitor = portal.visit();
  const form = await visitor.open(`/create-account-organization${serviceId ? `?serviceId=${serviceId}` : ""}`);
  await form.submit("Email me a link", { email: person.email, organizationName: "Bookshop" });
  const completing = await visitor.open(await mailedLink(portal, person.email, /registration/i));
  const login = await completeAccount(completing, portal, person);
  const landed = await login.submit("log in", { password: newPassword });
  return { visitor, username: person.username, landed };
}

test("a user who picks no plan is on Free at once, and is asked for nothing", async () => {
  const { landed, visitor } = await register();
  expect([landed.address, landed.text.includes(modal)]).toEqual(["/dashboard", false]);
  // Usage is reported between services, and so known a moment later.
  await expect.poll(async () => (await visitor.open("/billing")).text).toContain("1 of 1");
  const billing = await visitor.open("/billing");
  expect(billing.text).toContain("0 of 2");
  expect(billing.text).not.toContain("You picked");
  expect(billing.text).toContain("It costs nothing.");
  expect(billing.text).not.toMatch(/Request (Free|Team)/);
});

test("a picked plan is remembered: it is subscribed to where signing in leads", async () => {
  const { landed } = await register("team");
  expect([landed.address, landed.text.includes(modal)]).toEqual(["/billing?serviceId=team", false]);
  expect(landed.text).toContain("You picked Team: $49 a month");
  expect(landed.text).toContain("you are on Free");
  const subscription = await landed.submit("Subscribe to Team");
  expect(subscription.text).toContain("Waiting for approval");
});

test("a signed-in user who picks one in the pricing section reaches it in billing", async () => {
  const { visitor } = await register();
  const billing = await (await visitor.open("/")).follow("Choose Business");
  expect(billing.address).toBe("/billing?serviceId=business");
  expect(billing.text).toContain("You picked Business");
  expect((await (await visitor.open("/")).follow("Choose Free")).text).not.toContain("You picked");
});

test("a user with an account who picks a plan while signed out or in another tab reaches it in billing", async () => {
  const { visitor, username } = await register();
  const dashboard = await visitor.open("/dashboard");
  const picked = await (await portal.visit().open("/")).follow("Register with Team");
  // In the other tab the user is signed in meanwhile.
  for (const address of [picked.address, "/create-account-organization?serviceId=team"])
    expect((await visitor.open(address)).address).toBe("/billing?serviceId=team");
  await dashboard.submit("Logout");
  for (const way of ["Log in", "Login"]) {
    const login = await (await visitor.open(picked.address)).follow(way);
    const landed = await login.submit("Login", { username, password: newPassword });
    expect([landed.address, landed.text.includes("You picked Team")], way).toEqual(["/billing?serviceId=team", true]);
    await landed.submit("Logout");
  }
  const form = await (await visitor.open(picked.address)).follow("Organization");
  expect(form.link("Log in")).toContain(encodeURIComponent("/billing?serviceId=team"));
});

test("Skip leads back to the page, and suppresses the question for the rest of the day", async () => {
  const { visitor, username } = await register("team");
  const dashboard = await visitor.open("/dashboard");
  expect(dashboard.text).toContain("Subscribe to Team");
  const skipped = await dashboard.submit("Skip");
  expect([skipped.address, skipped.text.includes(modal)]).toEqual(["/dashboard", false]);
  await skipped.submit("Logout");
  const again = await (await visitor.open("/login")).submit("Login", { username, password: newPassword });
  expect([again.address, again.text.includes(modal)]).toEqual(["/dashboard", false]);
});

test("Don't Show Again is permanent, and a notice on the dashboard disappears when it is dismissed", async () => {
  const { visitor } = await register("team");
  const dashboard = await visitor.open("/dashboard");
  const answered = await dashboard.submit("Don't Show Again");
  expect([answered.address, answered.text.includes(modal)]).toEqual(["/dashboard", false]);
  expect(answered.text).toContain("Register your first API");
  const dismissed = await answered.submit("Dismiss");
  expect(dismissed.address).toBe("/dashboard");
  expect(dismissed.text).not.toContain("Welcome to API Assurance");
});

test("the operator of the installation is asked for no plan, is not limited, and sees the plans in billing", async () => {
  const operator = await portal.signIn("/dashboard");
  expect((await operator.open("/dashboard")).text).not.toContain(modal);
  const billing = await operator.open("/billing");
  expect(billing.text).toContain("No limits");
  expect(billing.text).toContain("operates this installation, so it needs no plan");
  expect(billing.text).toContain("Subscribe to Business");
});

test("a trial is offered where a plan is picked and before it is approved, and not again once used", async () => {
  const price = { params: { serviceId: "team" }, body: { amount: "49", trialDays: 14 } };
  requireValue(await portal.backend.portalService.offerPlanPrice(price), "offering a trial");
  expect((await portal.visit().open("/")).text).toContain("First 14 days free");
  const { landed, visitor } = await register("team");
  expect(landed.text).toContain("You picked Team: 14 days free, then $49 a month");
  const waiting = await landed.submit("Subscribe to Team");
  expect(waiting.text).toContain("Your 14 free days start when you approve the subscription at PayPal.");
  const back = await sandbox.decide(waiting.link("Approve at PayPal"), "approve");
  const active = await visitor.open(back.href);
  expect(active.text).toMatch(/Team is active, and free until \d+ \w+ \d{4}\./);
  expect(active.text).toMatch(/Trial until \d+ \w+ \d{4}, then \$49\.00 a month\./);
  const upgrade = await (await visitor.open("/billing")).follow("Change to Business");
  expect(upgrade.text).toMatch(/Nothing is charged today\. The next payment, on \d+ \w+ \d{4}, is \$199\./);
  const requested = await visitor.open(`${active.address}?dialog=cancel`);
  expect(requested.text).toContain("You keep Team until your trial ends.");
  const cancelled = await requested.submit("Cancel the subscription");
  expect(cancelled.text).toMatch(/You keep Team until your trial ends on \d+ \w+ \d{4}\. Nothing is charged/);
  const billing = await visitor.open("/billing");
  expect(billing.text).toContain("Subscribe to Team");
  expect(billing.text).not.toContain("days free");
  // The plan picked at registration was subscribed to: the reminder ends.
  expect(billing.text).not.toContain("You picked");
});
