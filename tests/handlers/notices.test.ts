import { afterAll, beforeAll, expect, test } from "vitest";
import type { Assertion, CheckName } from "#contracts/test-registry/assertions.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { startTarget, type Target } from "../../services/test-executioner/testing/target.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import { joinAs } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { registerApi } from "../support/portal-backend.ts";

let portal: HandledPortal;
let target: Target;
let visitor: Visitor;
beforeAll(async () => {
  [portal, target] = await Promise.all([openHandledPortal(), startTarget(() => {})]);
  visitor = await portal.signIn();
});
afterAll(async () => {
  await portal.stop();
  await target.close();
});

const responses = { 200: { description: "ok" } };

/** An API of orders, which describes itself, and a test of them. */
async function makeTest(rules: { assertions?: Assertion[]; checks?: CheckName[] }) {
  target.answer(({ url }, response) => {
    const document = {
      ...{ openapi: "3.0.3", info: { title: "Orders", version: "1" }, servers: [{ url: target.baseUrl }] },
      paths: { "/orders": { get: { responses } } },
    };
    const orders = { currency: "EUR", lines: [{ sku: "a-1" }] };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(url === "/openapi.json" ? document : orders));
  });
  const { backend } = portal;
  const apiId = await registerApi(backend, `${target.baseUrl}/openapi.json`);
  const body = { name: "Lists <orders>", method: "get", path: "/orders", request: {}, ...rules };
  const { id: testId } = requireValue(await backend.testRegistry.createTest({ params: { apiId }, body }), "test");
  const root = `/test-management/${apiId}`;
  return {
    ...{ root, testId, testPage: `${root}/tests/${testId}/edit` },
    async run() {
      const started = await toTheEnd(backend.testExecutioner).runTest({ params: { testId }, body: {} });
      return `${root}/tests/${testId}/executions/${requireValue(started, "execution").id}/verifications`;
    },
    getTest: async () => requireValue(await backend.testRegistry.getTest({ params: { testId } }), "test"),
  };
}

const status200: Assertion = { source: "statusCode", comparison: "equals", target: 200 };

test("a test's page says what it would miss, and one press adds a check that notices it", async () => {
  const { testPage, run, getTest } = await makeTest({ assertions: [status200] });
  expect((await visitor.open(testPage)).text).toContain("are listed once it has passed");
  await run();
  const page = await visitor.open(testPage);
  expect(page.text).toMatch(/Catches 3 of \d+ changes; would miss: an empty body, .* and \d+ more/);
  expect(page.rows("another currency")[0]).toContain('JSONPath $.currency equals "EUR"');
  const added = await page.submit('Add this check: JSONPath $.currency equals "EUR"');
  expect(added.address).toBe(testPage);
  expect(added.text).toContain('Lists <orders> now checks: JSONPath $.currency equals "EUR".');
  expect(added.rows("another currency")).toEqual([]);
  expect(added.text).toMatch(/Catches \d+ of \d+ changes/);
  expect((await getTest()).assertions).toEqual([
    status200,
    { source: "jsonPath", property: "$.currency", comparison: "equals", target: "EUR" },
  ]);
});

test("from a passed execution all checks are added at once, and the page is returned to", async () => {
  const { run, getTest } = await makeTest({ assertions: [status200] });
  const execution = await run();
  const page = await visitor.open(execution);
  const added = await page.submit("Add all");
  expect(added.address).toBe(execution);
  expect(added.text).toMatch(/\d+ checks were added to Lists <orders>\./);
  expect(added.text).toMatch(/Catches all \d+ changes/);
  expect((await getTest()).assertions.length).toBeGreaterThan(5);
  expect((await visitor.open(await run())).text).toContain("Passed");
});

test("a check is added only to the version that the page displayed", async () => {
  const { testId, testPage, run, getTest } = await makeTest({ assertions: [status200] });
  await run();
  const page = await visitor.open(testPage);
  const { id: _, apiId: __, createdAt: ___, updatedAt: ____, version, ...current } = await getTest();
  const headers = { "if-match": `"${version}"` };
  const body = { ...current, name: "Renamed" };
  requireValue(await portal.backend.testRegistry.changeTest({ params: { testId }, body, headers }), "renaming");
  const refused = await page.submit('Add this check: JSONPath $.currency equals "EUR"');
  expect(refused.text).toContain("Renamed was not changed");
  expect((await getTest()).assertions).toEqual([status200]);
});

test("a check that is asked for by another name is not added, nor one that is noticed by now", async () => {
  const { testPage, run, getTest } = await makeTest({ assertions: [status200] });
  await run();
  const address = testPage.replace("/edit", "/notices");
  const values = { miss: "value:/nothing", version: "1", returnTo: "https://evil.example" };
  const refused = await visitor.post(address, values);
  expect(refused.address).toBe(testPage);
  expect(refused.text).toContain("Already caught.");
  expect((await getTest()).version).toBe(1);
  expect((await visitor.open(address)).address).toBe(testPage);
});

test("a test that can't fail is marked on its page, in the list, and in the overview", async () => {
  const { root, testPage, run } = await makeTest({
    assertions: [{ source: "statusCode", comparison: "greaterThan", target: 0 }],
  });
  await run();
  expect((await visitor.open(`${root}/tests`)).text).not.toContain("Can't fail");
  expect((await visitor.open(testPage)).text).toMatch(/Catches 0 of \d+ changes.*Can't fail/);
  expect((await visitor.open(`${root}/tests`)).rows("Lists <orders>")[0]).toContain("Can't fail");
  const overview = await visitor.open(`${root}/manage`);
  expect(overview.rows("/orders")[0]).toMatch(/1 can't fail 0.%/);
  expect(overview.text).toMatch(/Changes noticed ?0 % ?0 of \d+ changes of responses, 1 test measured since/);
  expect(overview.text).toMatch(/Tests that can't fail ?1/);
});

test("viewers see what a test would miss, and can't add checks", async () => {
  const { testPage, run } = await makeTest({ assertions: [status200] });
  const execution = await run();
  const viewer = await joinAs(portal, "VIEWER");
  for (const address of [testPage, execution]) {
    const page = await viewer.open(address);
    expect(page.rows("another currency")[0]).toContain("JSONPath $.currency");
    expect(page.html).not.toContain("Add this check");
  }
  const refused = await viewer.post(testPage.replace("/edit", "/notices"), { miss: "all", version: "1" });
  expect(refused.status).toBe(403);
});
