import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { href } from "../../app/href.ts";
import { completeAccount, mailedLink, newcomer, newPassword } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

let portal: HandledPortal;
let targetApi: TargetApi;
/** Of a customer on Free, with one API and a test of it. */
let visitor: Visitor;
let apiId: string;
let testId: string;
beforeAll(async () => {
  [portal, targetApi] = await Promise.all([openHandledPortal(), startTargetApi()]);
  const person = newcomer();
  visitor = portal.visit();
  const form = await visitor.open("/create-account-organization");
  await form.submit("Email me a link", { email: person.email, organizationName: `Bookshop ${randomUUID()}` });
  const completing = await visitor.open(await mailedLink(portal, person.email, /registration/i));
  await (await completeAccount(completing, portal, person)).submit("log in", { password: newPassword });
  apiId = /-management\/([^/]+)\//.exec((await register("Books")).address)![1]!;
  testId = /tests\/([^/]+)\/edit/.exec((await (await newTest()).submit("Save")).address)![1]!;
});
afterAll(async () => {
  await portal.stop();
  await targetApi.stop();
});

async function register(name: string) {
  const form = await visitor.open("/api-management/register");
  return await form.submit("Register", { way: "url", url: targetApi.documentUrl, name });
}

const newTest = () =>
  visitor.open(
    href("/test-management/:apiId/tests/create/:pathName/:method", { apiId, pathName: "/books", method: "get" }),
  );

test("an API over the limit is refused with the input and a link to billing, and announced before", async () => {
  await portal.limitPlans({ apis: 2 });
  await register("Second");
  // Usage is reported between services, and so known a moment later.
  const readPage = async () => (await visitor.open("/api-management/register")).text;
  await expect.poll(readPage).toContain("The Free plan allows no more APIs");
  const refused = await register("Third");
  expect([refused.status, refused.value("name"), refused.value("url")]).toEqual([402, "Third", targetApi.documentUrl]);
  expect(refused.text).toContain("The Free plan allows 2 APIs, and there are 2.");
  expect(refused.link("Upgrade the plan")).toMatch(/\/billing$/);
});

test("a test over the limit is refused with the input, and so is its copy", async () => {
  await portal.limitPlans({ tests: 1 });
  const form = await newTest();
  await expect.poll(async () => (await newTest()).text).toContain("The Free plan allows no more tests");
  const refused = await form.submit("Save", { name: "Typed and kept" });
  expect([refused.status, refused.value("name")]).toEqual([402, "Typed and kept"]);
  expect(refused.text).toContain("The Free plan allows 1 test, and there is 1.");
  expect(refused.link("Upgrade the plan")).toMatch(/\/billing$/);
  const list = href("/test-management/:apiId/tests", { apiId });
  const copied = await visitor.post(list, { intent: "duplicate", testId });
  expect([copied.status, copied.text]).toEqual([200, expect.stringContaining("was not copied")]);
  expect(copied.link("See your plan")).toMatch(/\/billing$/);
  await portal.limitPlans({ tests: 50 });
});

test("circles whose tests fit are created whole, the others stay ticked, and no test is left without its circle", async () => {
  await portal.limitPlans({ apis: 3 });
  const { address } = await register("Made at once");
  const [, , madeId] = address.split("/");
  const makeable = await visitor.open(address);
  // One test of another API exists; the life of a book has four, the calls of books one.
  await portal.limitPlans({ tests: 3 });
  const refused = await makeable.submit("Create");
  expect(refused.status).toBe(402);
  expect(refused.text).toContain("Only 1 circle of these was created");
  expect(refused.html.match(/<input[^>]*name="circle"[^>]*checked/g)).toHaveLength(1);
  expect(refused.link("Upgrade the plan")).toMatch(/\/billing$/);
  const filled = await visitor.post(address, { intent: "create-all" });
  expect([filled.status, filled.text]).toEqual([402, expect.stringContaining("No circle was created")]);
  const made = href("/test-management/:apiId/tests", { apiId: madeId! });
  expect((await visitor.open(made)).text).toContain("1 test");
  await portal.limitPlans({ tests: 50 });
});

test("an invitation over the limit is refused with the input", async () => {
  const form = await visitor.open("/administration/user-management/invite");
  expect(form.text).toContain("The Free plan allows no more members");
  const refused = await form.submit("Send invitations", { emails: "ada@example.com", roles: ["EDITOR"] });
  expect([refused.status, refused.value("emails")]).toEqual([402, "ada@example.com"]);
  expect(refused.text).toContain("Your plan does not allow this many members");
  expect(refused.link("Upgrade the plan")).toMatch(/\/billing$/);
});

test("a schedule that starts too often is reported in its preview and refused with the input", async () => {
  const circles = href("/test-management/:apiId/test-circles/list", { apiId });
  let form = await (await visitor.open(circles)).follow("Create a circle");
  form = await form.submit("Add selected tests", { name: "Checkout", picked: [testId] });
  const circle = await form.submit("Create circle");
  const often = { name: "Often", kind: "interval", every: "5", unit: "minutes" };
  const preview = await (await circle.follow("Add a schedule")).submit("Show next runs", often);
  expect(preview.text).toContain("Your plan would not let it run");
  expect(preview.text).toContain("The Free plan starts a schedule every hour at most");
  const refused = await preview.submit("Create schedule");
  expect([refused.status, refused.value("name"), refused.value("every")]).toEqual([402, "Often", "5"]);
  expect(refused.link("Upgrade the plan")).toMatch(/\/billing$/);

  const saved = await refused.submit("Create schedule", { every: "60" });
  expect(saved.text).not.toContain("Held back");
  await portal.limitPlans({ shortestIntervalSeconds: 7_200 });
  for (const address of [saved.address, "/test-management/schedules", "/dashboard"]) {
    const page = await visitor.open(address);
    expect(page.text, address).toContain("Your plan holds back 1 schedule");
    expect(page.text, address).toContain("Held back");
    expect(page.link("Upgrade the plan")).toMatch(/\/billing$/);
  }
});

test("a run over the limit starts nothing and links to the plan", async () => {
  await portal.limitPlans({ executionsPerMonth: 0 });
  const list = await visitor.open(href("/test-management/:apiId/tests", { apiId }));
  expect(list.text).toContain("The Free plan allows no more executions this month");
  const refused = await list.submit("Run 1 test");
  expect(refused.text).toContain("Nothing was started");
  expect(refused.link("See your plan")).toMatch(/\/billing$/);
});
