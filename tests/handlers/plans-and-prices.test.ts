import { afterAll, beforeAll, expect, test } from "vitest";
import { joinAs } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { openPayPalSandbox } from "../support/paypal-sandbox.ts";

const list = "/administration/system/plans";

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

test("a new price is offered to new subscribers, and an earlier subscriber continues to pay the old one", async () => {
  const waiting = await (await operator.open("/billing")).submit("Subscribe to Team");
  const own = (await operator.open((await sandbox.decide(waiting.link("Approve at PayPal"), "approve")).href)).address;

  const plans = await (await operator.open("/administration")).follow("Plans and prices");
  expect(plans.rows("Team")).toEqual([expect.stringMatching(/Offered.*\$49\.00.*1/)]);
  const asks = await (await plans.follow("Team")).follow("New price");
  expect(asks.text).toContain("1 subscriber keeps the price they have");
  const wrong = await asks.submit("Offer this price", { amount: "fifty" });
  expect([wrong.status, wrong.value("amount"), wrong.value("trialDays")]).toEqual([422, "fifty", "0"]);
  expect(wrong.errors("amount")).toContain("Enter an amount, e.g. 49 or 49.50");
  const done = await wrong.submit("Offer this price", { amount: "59" });
  expect(done.text).toContain("Team costs new subscribers $59.00 a month.");
  expect(done.rows("New subscribers")).toEqual([expect.stringMatching(/\$59\.00.*P-/)]);
  expect(done.rows("Earlier subscribers")).toEqual([expect.stringMatching(/\$49\.00.*The beginning.*1.*P-/)]);

  expect((await portal.visit().open("/")).text).toContain("$59");
  expect((await operator.open(own)).text).toContain("$49.00 a month");

  const tried = await (await done.follow("New price")).submit("Offer this price", { trialDays: "366" });
  expect([tried.status, tried.value("amount")]).toEqual([422, "59"]);
  expect(tried.errors("trialDays")).toBe("Enter a whole number of free days from 0 to 365");
  const offered = await tried.submit("Offer this price", { trialDays: "14" });
  expect(offered.text).toContain("Team costs new subscribers $59.00 a month. The first 14 days are free.");
  expect(offered.rows("New subscribers")).toEqual([expect.stringMatching(/\$59\.00.*14 days.*P-/)]);
  expect(offered.rows("Returning subscribers")).toEqual([expect.stringMatching(/\$59\.00.*None.*P-/)]);
});

test("a plan is created, keeping the input until it is valid, and sold at once", async () => {
  const create = await (await operator.open(list)).follow("Create a plan");
  const typed = { name: "Studio", description: "For a studio.", "limits.apis": "7", "price.amount": "19.50" };
  const missing = await create.submit("Create and offer plan", typed);
  expect([missing.status, missing.value("name"), missing.value("limits.apis")]).toEqual([422, "Studio", "7"]);
  expect(missing.errors("limits.shortestIntervalSeconds")).toBe("Enter a whole number of seconds from 30 to 604,800");
  expect(missing.errors("limits.retentionDays")).toBe("Enter a whole number of days from 1 to 3,650");
  const rest = { "limits.shortestIntervalSeconds": "300", "limits.retentionDays": "30" };
  const made = await missing.submit("Create and offer plan", rest);
  expect(made.heading).toContain("Studio");
  for (const words of ["7 APIs", "Unlimited tests", "Results kept for 30 days"]) expect(made.text).toContain(words);
  expect((await portal.visit().open("/")).text).toContain("Studio");

  const edit = await made.follow("Edit");
  expect([edit.value("limits.apis"), edit.value("limits.tests") ?? ""]).toEqual(["7", ""]);
  const taken = await edit.submit("Save", { name: "Team" });
  expect([taken.status, taken.errors("name")]).toEqual([422, expect.stringContaining("There is a plan of this name")]);
  const saved = await taken.submit("Save", { name: "Atelier", "limits.apis": "", "limits.tests": "9" });
  for (const words of ["Atelier is saved", "Unlimited APIs", "9 tests"]) expect(saved.text).toContain(words);

  const warning = "All 9 tests every 5 minutes would need 78,797 executions a month: 77,797 more than the plan gives.";
  expect(saved.text).not.toContain("more than the plan gives");
  const few = await (await saved.follow("Edit")).submit("Save", { "limits.executionsPerMonth": "1000" });
  for (const page of [few, await few.follow("Edit")]) expect(page.text).toContain(warning);
});

test("a plan is retired after a question, leaves the pricing section, and can be offered again", async () => {
  const asks = await (await operator.open(`${list}/business`)).follow("Retire");
  expect(asks.text).toContain("No current subscribers.");
  const retired = await asks.submit("Retire the plan");
  expect(retired.text).toContain("Business is retired and closed to new subscribers.");
  expect((await portal.visit().open("/")).text).not.toContain("Business");
  expect((await operator.open(list)).rows("Business")).toEqual([expect.stringContaining("Retired")]);
  const again = await retired.submit("Offer it again");
  expect(again.text).toContain("Business is offered again.");
  expect((await portal.visit().open("/")).text).toContain("Business");
});

test("the free plan has no price and is not retired", async () => {
  const free = await operator.open(`${list}/free?dialog=retire`);
  for (const words of ["New price", "Retire"]) expect(free.text).not.toContain(words);
  expect((await operator.open(`${list}/free/price`)).status).toBe(404);
  expect((await operator.open(`${list}/none`)).status).toBe(404);
});

test("T01: a user who is no operator sees no plan administration", async () => {
  const editor = await joinAs(portal, "EDITOR");
  for (const page of ["", "/create", "/team", "/team/edit", "/team/price"])
    expect((await editor.open(list + page)).status, page).toBe(403);
});
