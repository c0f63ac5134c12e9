import { afterAll, beforeAll, expect, test } from "vitest";
import type { FormPage } from "../support/form-page.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

let portal: HandledPortal;
let targetApi: TargetApi;
let visitor: Visitor;
let tests: string;
beforeAll(async () => {
  [portal, targetApi] = await Promise.all([openHandledPortal(), startTargetApi()]);
  visitor = await portal.signIn();
  const form = await visitor.open("/api-management/register");
  const details = await form.submit("Register", { way: "url", url: targetApi.documentUrl, name: "Bookshop" });
  const apiId = details.url.pathname.split("/")[2];
  tests = `/test-management/${apiId}/tests`;
});
afterAll(async () => {
  await portal.stop();
  await targetApi.stop();
});

/** A test as it is suggested for an operation, under a name of its own. */
async function createTest(name: string, operation = "%2Fbooks%2F%7BbookId%7D%2Fprice/get"): Promise<FormPage> {
  const form = await visitor.open(`${tests}/create/${operation}`);
  await form.submit("Save", { name });
  return await visitor.open(`${tests}?query=${name}`);
}

test("a test runs from its list, which says how it ended and leads to the results", async () => {
  const list = await createTest("Price");
  const ran = await list.submit("Run", {}, "Price");
  expect(ran.address).toBe(`${tests}?query=Price`);
  const results = await ran.follow("See results");
  expect(results.heading).toBe("Price");
  expect(results.text).toContain("The answer is not what this test expects");
});

test("a disabled test is not started with the others", async () => {
  const list = await createTest("Alone");
  const disabled = await list.submit("Disable", {}, "Alone");
  expect(disabled.text).toContain("Alone is disabled.");
  expect((await disabled.submit("Enable", {}, "Alone")).text).toContain("Alone is enabled.");
});

test("a copy stands beside its original under a name of its own", async () => {
  const list = await createTest("Twin");
  expect((await list.submit("Duplicate", {}, "Twin")).text).toContain("Twin (copy) was made.");
  expect((await visitor.open(`${tests}?query=Twin`)).text).toContain("Twin (copy)");
});

test("a test is deleted after asking, and what only one of two lists knew is answered with 404", async () => {
  const list = await createTest("Doomed");
  const asking = await list.follow("Delete");
  expect(asking.text).toContain("Doomed");
  const gone = await asking.submit("Delete");
  expect(gone.text).toContain("Doomed was deleted.");
  expect((await list.submit("Run", {}, "Doomed")).status).toBe(404);
});
