import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import type { FormPage } from "../support/form-page.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

let portal: HandledPortal;
let targetApi: TargetApi;
let visitor: Visitor;
beforeAll(async () => {
  [portal, targetApi] = await Promise.all([openHandledPortal(), startTargetApi()]);
  visitor = await portal.signIn();
});
afterAll(async () => {
  await portal.stop();
  await targetApi.stop();
});

async function registerBookshop(): Promise<string> {
  const result = await portal.backend.apiRegistry.registerApi({ body: { source: { url: targetApi.documentUrl } } });
  return requireValue(result, "registering").id;
}

/** An API of many operations that read, and one that does not. */
async function registerLarge(operations: number): Promise<string> {
  const responses = { 200: { description: "ok" } };
  const paths = Object.fromEntries(
    Array.from({ length: operations - 1 }, (_, n) => [`/r${n}`, { get: { responses } }]),
  );
  const document = JSON.stringify({
    ...{ openapi: "3.0.3", info: { title: "Large", version: "1" }, servers: [{ url: targetApi.origin }] },
    paths: { ...paths, "/gone": { delete: { responses } } },
  });
  return requireValue(await portal.backend.apiRegistry.registerApi({ body: { source: { document } } }), "large").id;
}

const make = (apiId: string, search = "") => visitor.open(`/test-management/${apiId}/tests/make${search}`);

const getTicked = ({ html }: FormPage) =>
  [...html.matchAll(/<input[^>]*name="operation"[^>]*>/g)]
    .filter(([box]) => box.includes("checked"))
    .map(([box]) => /value="([^"]*)"/.exec(box)![1]);

async function getTests(apiId: string): Promise<string[]> {
  const result = await portal.backend.testRegistry.listTests({
    params: { apiId },
    query: { sort: "path", limit: 200 },
  });
  return requireValue(result, "list").items.map(({ method, path }) => `${method} ${path}`);
}

test("registering an API leads to its tests: safe operations are ticked, others marked", async () => {
  const form = await visitor.open("/api-management/register");
  const page = await form.submit("Register", { way: "url", url: targetApi.documentUrl, name: "Fresh" });
  expect(page.heading).toBe("Make tests");
  expect(page.text).toContain("Fresh is registered with 5 operations.");
  expect(getTicked(page)).toEqual(["get /books", "get /books/{bookId}", "get /books/{bookId}/price", "get /slow"]);
  expect(page.text).toMatch(/POST \/books ?Changes data/);
  expect(page.text).toContain("checks 200, schema, content type");
  // A shop whose document names no server gets the address that it was loaded from, so it can be run.
  expect(page.text).toContain("Create and run");
});

test("where the document names no server, a base URL is requested, which can be skipped", async () => {
  const paths = { "/books": { get: { responses: { 200: { description: "ok" } } } } };
  const text = JSON.stringify({
    openapi: "3.0.3",
    info: { title: "Nowhere", version: "1" },
    servers: [{ url: "/v1" }],
    paths,
  });
  const form = await visitor.open("/api-management/register");
  const page = await form.submit("Register", { way: "text", document: text });
  expect(page.heading).toBe("Make tests");
  expect(page.text).toContain("Until it has a base URL, tests can be created, but not run.");
  expect(page.text).not.toContain("Create and run");
  const refused = await page.submit("Save the base URL", { baseUrl: "nowhere" });
  expect([refused.status, refused.value("baseUrl")]).toEqual([422, "nowhere"]);
  expect(refused.errors("baseUrl")).not.toBe("");
  const saved = await refused.submit("Save the base URL", { baseUrl: targetApi.origin });
  expect(saved.text).toContain("The base URL is saved.");
  expect((await saved.submit("Create and run")).heading).toBe("Run of GET /books");
});

test("ticked operations get tests that run at once, however often the form is sent", async () => {
  const apiId = await registerBookshop();
  const page = await make(apiId);
  const operation = ["get /books", "get /books/{bookId}"];
  const [first, second] = await Promise.all([0, 1].map(() => page.submit("Create and run", { operation })));
  expect(first!.heading).toBe("Run of 2 tests");
  expect(second!.address).toBe(first!.address);
  expect(await getTests(apiId)).toEqual(operation);
  const again = await make(apiId);
  expect(getTicked(again)).toEqual(["get /books/{bookId}/price", "get /slow"]);
  // A page from before the tests were created creates no second ones.
  const late = await page.submit("Create ticked", { operation: [...operation, "post /books"] });
  expect(late.text).toContain("1 test was created. 2 operations had one already.");
  expect(await getTests(apiId)).toEqual(["get /books", "post /books", "get /books/{bookId}"]);
});

test("tests that may change data run only after asking, by method", async () => {
  const apiId = await registerBookshop();
  const operation = ["get /books", "post /books"];
  const before = targetApi.requests.length;
  const requesting = await (await make(apiId)).submit("Create and run", { operation });
  expect(requesting.text).toContain("Run 1 test that may change data?");
  expect(requesting.text).toContain("What is ticked includes 1 POST.");
  expect(await getTests(apiId)).toEqual([]);
  expect(getTicked(requesting)).toEqual(operation);
  const run = await requesting.submit("Create all 2, run 1 safe");
  expect(run.heading).toBe("Run of List the books");
  expect(await getTests(apiId)).toEqual(operation);
  expect(targetApi.requests.slice(before).filter(({ method }) => method === "POST")).toEqual([]);

  const other = await registerBookshop();
  const both = await (await (await make(other)).submit("Create and run", { operation })).submit("Create and run all 2");
  expect(both.heading).toBe("Run of 2 tests");
});

test("without script whole groups are ticked by their buttons, and ticks on other pages are kept", async () => {
  const apiId = await registerLarge(4);
  const page = await make(apiId);
  expect(getTicked(page)).toEqual(["get /r0", "get /r1", "get /r2"]);
  const shop = await registerBookshop();
  const all = await (await make(shop)).submit("Tick all of books", { operation: [] });
  expect(getTicked(all)).toHaveLength(5);
  const none = await all.submit("Untick all of books");
  expect(getTicked(none)).toEqual([]);
  const refused = await none.submit("Create ticked");
  expect([refused.status, await getTests(shop)]).toEqual([422, []]);
  expect(refused.text).toContain("Tick at least one operation");
});

test("operations are found by words, by effect and by tag; one alone by its address", async () => {
  const apiId = await registerBookshop();
  const found = await (await make(apiId)).submit("Filter", { query: "price" });
  expect(getTicked(found)).toEqual(["get /books/{bookId}/price"]);
  const changing = await found.submit("Filter", { query: "", effect: "changes" });
  expect(changing.html.match(/name="operation"/g)).toHaveLength(1);
  expect(getTicked(changing)).toEqual([]);
  expect((await changing.submit("Filter", { effect: "deletes" })).text).toContain("No operation matches");
  const one = await make(apiId, `?operation=${encodeURIComponent("get /slow")}`);
  expect(getTicked(one)).toEqual(["get /slow"]);
  expect((await make(apiId, "?operation=get+%2Fnowhere")).text).toContain("No operation matches");
});

test("tests are created for all matches, on all pages, and once", async () => {
  const apiId = await registerLarge(150);
  const page = await make(apiId);
  expect(getTicked(page)).toHaveLength(100);
  expect(page.text).toContain("All 150 that match");
  const matching = await (await make(apiId, "?query=r1")).submit("Create ticked");
  expect(matching.text).toContain("60 tests were created.");
  const done = await page.submit("Create tests for all 150");
  expect(done.text).toContain("90 tests were created. 60 operations had one already");
  expect((await page.submit("Create tests for all 150")).text).toContain("No test was created.");
  const { total } = requireValue(await portal.backend.testRegistry.listTests({ params: { apiId } }), "list");
  expect(total).toBe(150);
});

/** One that lists, one that needs an undocumented value, and two that share another. */
async function registerWithoutExamples(): Promise<string> {
  const responses = { 200: { description: "ok" } };
  const at = (...names: string[]) => ({
    get: {
      parameters: names.map((name) => ({ name, in: "path", required: true, schema: { type: "integer" } })),
      responses,
    },
  });
  const document = JSON.stringify({
    ...{ openapi: "3.0.3", info: { title: "Nothing made up", version: "1" }, servers: [{ url: targetApi.origin }] },
    paths: {
      "/books": at(),
      "/books/{bookId}": at("bookId"),
      "/books/{bookId}/price": at("bookId"),
      "/s/{shop}": at("shop"),
    },
  });
  return requireValue(await portal.backend.apiRegistry.registerApi({ body: { source: { document } } }), "plain").id;
}

test("values that the document lacks are requested once, and tests without one are created but not run", async () => {
  const apiId = await registerWithoutExamples();
  const page = await make(apiId);
  expect(page.text).toContain("Values needed");
  expect(page.text).toMatch(/bookId.*Used by 2 operations/);
  expect(page.text).toContain("needs shop");
  const before = targetApi.requests.length;
  const run = await page.submit("Create and run", { "value:bookId": "2" });
  expect(run.heading).toBe("Run of 3 tests");
  expect(run.text).toContain("1 test created, but not run");
  expect(run.text).toContain("shop has no value.");
  const listRequests = () => targetApi.requests.slice(before).map(({ url }) => url);
  await expect.poll(listRequests).toEqual(expect.arrayContaining(["/books", "/books/2", "/books/2/price"]));
  expect(listRequests().filter((url) => url.startsWith("/s/"))).toEqual([]);
  expect(await getTests(apiId)).toHaveLength(4);
  // Given later, through the link in the notice: the page knows the first one by then.
  const later = await run.follow("Give it a value");
  expect(later.value("value:bookId")).toBe("2");
  expect((await later.submit("Save values", { "value:shop": "main" })).text).toContain("The values are saved.");
  const { variables } = requireValue(await portal.backend.apiRegistry.getVariables({ params: { apiId } }), "variables");
  expect(variables).toEqual({ bookId: "2", shop: "main" });
});

test("nothing runs where every value is missing, which is reported where values are given", async () => {
  const apiId = await registerWithoutExamples();
  const page = await make(apiId);
  const left = await page.submit("Create and run", { operation: ["get /books/{bookId}", "get /s/{shop}"] });
  expect(left.heading).toBe("Make tests");
  expect(left.text).toContain("2 tests created, but not run");
  expect(left.text).toContain("bookId and shop have no value.");
  const tooLong = await page.submit("Save values", { "value:bookId": "x".repeat(10_001) });
  expect([tooLong.status, tooLong.text]).toEqual([422, expect.stringContaining("The values were not saved")]);
});

test("safe tests without a value are left out of the run of the created ones, and marked in the list of tests and on the overview", async () => {
  const responses = { 200: { description: "ok" } };
  const deleted = Array.from({ length: 100 }, (_, n) => [`/r${n}`, { delete: { responses } }]);
  const shop = { name: "shop", in: "path", required: true, schema: { type: "string" } };
  const document = JSON.stringify({
    ...{ openapi: "3.0.3", info: { title: "Many", version: "1" }, servers: [{ url: targetApi.origin }] },
    paths: {
      ...Object.fromEntries(deleted),
      "/books": { get: { responses } },
      "/s/{shop}": { get: { parameters: [shop], responses } },
    },
  });
  const { id } = requireValue(await portal.backend.apiRegistry.registerApi({ body: { source: { document } } }), "many");
  const run = await (await make(id)).submit("Create all, run the safe ones");
  expect(run.heading).toBe("Run of GET /books");
  expect(run.text).toContain("1 test left out of the run");
  expect(run.text).toContain("shop has no value.");
  const listed = async () => (await visitor.open(`/test-management/${id}/tests?safe=true`)).rows("/s/{shop}")[0];
  const onOverview = async () =>
    (await visitor.open(`/test-management/${id}/manage?query=%2Fs%2F`)).rows("/s/{shop}")[0];
  expect(await listed()).toContain("No value for shop");
  expect(await onOverview()).toContain("No value for shop");
  await portal.backend.apiRegistry.setVariables({ params: { apiId: id }, body: { variables: { shop: "main" } } });
  expect(await listed()).not.toContain("No value");
  expect(await onOverview()).not.toContain("No value");
});

test("a value of the current environment is not missing: tests run with it, and none of it is saved elsewhere", async () => {
  const apiId = await registerWithoutExamples();
  const { apiRegistry } = portal.backend;
  const staging = { name: "staging", baseUrl: targetApi.origin, variables: { shop: "main", bookId: "2" } };
  requireValue(await apiRegistry.replaceEnvironments({ params: { apiId }, body: { items: [staging] } }), "staging");
  const without = await make(apiId);
  expect(without.text).toContain("Tests that use an empty one are created, but not run.");
  await without.submit("Use", { environment: "staging" });
  const page = await make(apiId);
  expect(page.text).toContain("given by environment staging");
  expect(page.text).not.toContain("are created, but not run");
  expect([page.value("value:shop"), page.value("value:bookId")]).toEqual(["", ""]);
  const run = await page.submit("Create and run", { operation: ["get /books/{bookId}", "get /s/{shop}"] });
  expect([run.heading, run.text]).toEqual(["Run of 2 tests", expect.not.stringContaining("has no value")]);
  const { variables } = requireValue(await apiRegistry.getVariables({ params: { apiId } }), "variables");
  expect(variables).toEqual({});
  expect((await visitor.open(`/test-management/${apiId}/manage`)).text).not.toContain("No value");
});

test("a missing value is taken from the response to a GET: one press sends it, one fills the field", async () => {
  const apiId = await registerWithoutExamples();
  const page = await make(apiId);
  expect(page.text).not.toMatch(/Take it from GET \/s/);
  const before = targetApi.requests.length;
  const displayed = await page.submit("Take it from GET /books", { operation: ["get /books"], "value:shop": "main" });
  expect(targetApi.requests.slice(before).map(({ method, url }) => `${method} ${url}`)).toEqual(["GET /books"]);
  expect(displayed.text).toMatch(/GET \/books answered ?1 The Dispossessed ?2 Invisible Cities/);
  const filled = await displayed.submit("2 Invisible Cities");
  expect([filled.value("value:bookId"), filled.value("value:shop")]).toEqual(["2", "main"]);
  expect(getTicked(filled)).toEqual(["get /books"]);
  // Nothing is stored before it is saved.
  const stored = async () =>
    requireValue(await portal.backend.apiRegistry.getVariables({ params: { apiId } }), "variables").variables;
  expect(await stored()).toEqual({});
  await filled.submit("Save values");
  expect(await stored()).toEqual({ bookId: "2", shop: "main" });
  expect((await make(apiId)).text).not.toContain("Take it from");
});

test("where no value is found the reason is given", async () => {
  const get = { responses: { 200: { description: "ok" } } };
  const id = { name: "id", in: "path", required: true, schema: { type: "integer" } };
  const document = JSON.stringify({
    ...{ openapi: "3.0.3", info: { title: "Nothing there", version: "1" }, servers: [{ url: targetApi.origin }] },
    paths: { "/things": { get }, "/things/{id}": { get: { ...get, parameters: [id] } } },
  });
  const result = await portal.backend.apiRegistry.registerApi({ body: { source: { document } } });
  const displayed = await (await make(requireValue(result, "nothing").id)).submit("Take it from GET /things");
  expect(displayed.text).toContain("No value from GET /things");
  expect(displayed.text).toContain("It answered 404");
});

test("only a GET is sent to take a value from", async () => {
  const apiId = await registerBookshop();
  const use = { variable: "bookId", parameter: "bookId", path: "/books/{bookId}" };
  const intent = `take:${JSON.stringify({ use, from: { method: "post", path: "/books" } })}`;
  const before = targetApi.requests.length;
  const refused = await visitor.post(`/test-management/${apiId}/tests/make`, { intent });
  expect([refused.status, targetApi.requests.length]).toEqual([400, before]);
});
