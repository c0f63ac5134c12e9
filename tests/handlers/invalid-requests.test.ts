import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { type FaultyApi, startFaultyApi } from "../support/faulty-api.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";

let portal: HandledPortal;
let faulty: FaultyApi;
let visitor: Visitor;
beforeAll(async () => {
  [portal, faulty] = await Promise.all([openHandledPortal(), startFaultyApi()]);
  visitor = await portal.signIn();
});
afterAll(async () => {
  await portal.stop();
  await faulty.stop();
});

async function register(): Promise<string> {
  const source = { url: faulty.documentUrl };
  return requireValue(await portal.backend.apiRegistry.registerApi({ body: { source } }), "registering").id;
}
const make = (apiId: string) => visitor.open(`/test-management/${apiId}/tests/make`);

async function listCircles(apiId: string) {
  const query = { apiId, limit: 200 };
  return requireValue(await portal.backend.testRegistry.listCircles({ query }), "circles").items;
}

test("a wrongly accepted creation and a server error are found, reported in a sentence each, and nothing is left", async () => {
  const apiId = await register();
  const page = await make(apiId);
  expect(page.text).toContain("Also send invalid requests: 17 cases");
  expect(page.text).toContain("Invalid requests: books: 17 cases");
  await page.submit("Create and run");
  expect((await listCircles(apiId)).map(({ name }) => name).sort()).toEqual([
    "Invalid requests: books",
    "Life of a book",
  ]);
  const listRuns = async () =>
    requireValue(await portal.backend.testExecutioner.listRuns({ query: { apiId } }), "runs").items;
  await expect
    .poll(async () => (await listRuns()).filter(({ verdict }) => verdict !== null).length, { timeout: 60_000 })
    .toBe(2);
  const runs = await listRuns();
  const run = runs.find(({ source }) => source.kind === "circle" && source.testCircleName.startsWith("Invalid"))!;
  const found = await portal.backend.testExecutioner.getRun({ params: { runId: run.id }, query: { limit: 200 } });
  const members = requireValue(found, "run").members.items;
  const failed = members.filter(({ verdict }) => verdict !== "passed" && verdict !== "skipped");
  expect(failed.map(({ reason }) => reason)).toEqual([
    'Server error on `limit: "abc"` in the query, although a whole number is documented (GET /books, 500), +1 more.',
    "Server error on `limit: 1.5` in the query, although a whole number is documented (GET /books, 500), +1 more.",
    "Accepted `title: 5` although a string is documented (POST /books, 201).",
    'Accepted `title: ""` although at least 1 character is documented (POST /books, 201).',
    expect.stringMatching(/^Accepted PUT, which is not documented for this path \(PUT \/books\/\d+, 200\)\.$/),
  ]);
  // What was accepted is removed by its row, and what was there before stays.
  expect(faulty.requests.filter((one) => /^POST \/books \{"title":(5|"")\}/.test(one))).toHaveLength(2);
  expect([...faulty.books.keys()]).toEqual([1]);
  expect(faulty.requests.filter((one) => /^(DELETE|PUT|PATCH).*\/1$/.test(one))).toEqual([]);
  const runPage = await visitor.open(`/test-management/${apiId}/runs/${run.id}`);
  expect(runPage.text).toContain("Accepted `title: 5` although a string is documented (POST /books, 201).");
  const again = await make(apiId);
  expect(again.text).not.toContain("Also send invalid requests");
  expect(again.text).toContain("Invalid requests: books: 17 cases, made");
});

test("without the tick no invalid request is made, and later it can be", async () => {
  const apiId = await register();
  const page = await make(apiId);
  await page.submit("Create", { invalid: false });
  expect((await listCircles(apiId)).map(({ name }) => name)).toEqual(["Life of a book"]);
  const again = await make(apiId);
  expect(again.text).toContain("Also send invalid requests: 17 cases");
  await again.submit("Create");
  expect((await listCircles(apiId)).map(({ name }) => name).sort()).toEqual([
    "Invalid requests: books",
    "Life of a book",
  ]);
});

test("what was ticked is kept where the form is refused, and nothing goes with an unticked circle", async () => {
  const apiId = await register();
  const none = await (await make(apiId)).submit("Create", { circle: [], invalid: false });
  expect(none.text).toContain("Select at least one circle");
  expect(none.html).not.toMatch(/name="invalid"[^>]*checked=""/);
  const alone = await (await make(apiId)).submit("Create", { circle: [] });
  expect(alone.text).toContain("Select at least one circle");
  expect(alone.html).toMatch(/<input[^>]*(name="invalid"[^>]*checked=""|checked=""[^>]*name="invalid")/);
  expect(await listCircles(apiId)).toEqual([]);
});
