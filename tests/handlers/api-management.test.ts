import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { startFailingService } from "../support/failing-service.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { makeTests } from "../support/made-tests.ts";
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

async function register(name: string) {
  const form = await visitor.open("/api-management/register");
  return await form.submit("Register", { way: "url", url: targetApi.documentUrl, name });
}

test("an API without an address of its document is refused at the field", async () => {
  const form = await visitor.open("/api-management/register");
  const refused = await form.submit("Register", { way: "url" });
  expect(refused.status).toBe(422);
  expect(refused.errors("url")).toContain("Enter the document URL");
});

test("a document with mistakes is refused, and no input is lost", async () => {
  const form = await visitor.open("/api-management/register");
  const tags = 'one, "two, three"';
  const refused = await form.submit("Register", { way: "text", document: "swagger: 7", name: "Kept", tags });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("This document can't be used");
  expect([refused.value("document"), refused.value("name"), refused.value("tags")]).toEqual([
    "swagger: 7",
    "Kept",
    tags,
  ]);
});

test("a document is checked without being registered", async () => {
  const form = await visitor.open("/api-management/register");
  const checked = await form.submit("Validate", {
    way: "url",
    url: targetApi.documentUrl,
    name: "Only checked",
  });
  expect(checked.text).toContain("Summary");
  expect((await visitor.open("/api-management/list?query=only+checked")).text).not.toContain("Bookshop");
});

test("an API is registered by the address of its document, edited, and deleted after asking", async () => {
  const details = await (await register("To be changed")).follow("See the API");
  expect(details.heading).toBe("Settings of To be changed");
  const refused = await (await details.follow("Edit")).submit("Save", { baseUrl: "nowhere" });
  expect(refused.status).toBe(422);
  expect(refused.errors("baseUrl")).toContain("Enter a full URL");
  const saved = await refused.submit("Save", { baseUrl: "https://api.example.com/v2", name: "Changed" });
  expect(saved.heading).toBe("Settings of Changed");
  expect(saved.text).toContain("https://api.example.com/v2");
  const requesting = await saved.follow("Delete");
  const list = await requesting.submit("Delete");
  expect(list.text).not.toContain("https://api.example.com/v2");
  expect((await visitor.open(details.address)).status).toBe(404);
});

test("a missing API, or one of another organization, is answered with 404", async () => {
  expect((await visitor.open("/api-management/01900000-0000-7000-8000-000000000000/details")).status).toBe(404);
});

/** More than the form itself carries. */
const large = `openapi: 3.0.3
info: {title: Large, version: "1", description: "${"x".repeat(1_200_000)}"}
servers: [{url: "https://api.example.com"}]
paths: {/pets: {$ref: pets.yaml}}
`;
const largeFiles = {
  way: "file",
  documentFile: [new File([large], "large.yaml")],
  otherFiles: [new File(["get: {responses: {'200': {description: ok}}}"], "pets.yaml")],
};

test("a large document in files is registered after its check without being chosen again", async () => {
  const form = await visitor.open("/api-management/register");
  const checked = await form.submit("Validate", largeFiles);
  expect(checked.text).toContain("large.yaml and 1 file beside it is kept for an hour");
  const refused = await checked.submit("Register", { baseUrl: "nowhere" });
  expect(refused.errors("baseUrl")).toContain("Enter a full URL");
  const registered = await refused.submit("Register", { baseUrl: "https://api.example.com/v2", name: "Large" });
  const details = await registered.follow("See the API");
  expect(details.heading).toBe("Settings of Large");
  const again = await (await details.follow("Import a new version")).submit("Review the changes", largeFiles);
  expect(again.text).toContain("large.yaml and 1 file beside it is kept");
  expect((await again.submit("Import")).heading).toBe("Settings of Large");
});

test("a large document need not be chosen again because another field is invalid", async () => {
  const form = await visitor.open("/api-management/register");
  const refused = await form.submit("Register", { ...largeFiles, baseUrl: "nowhere" });
  expect(refused.status).toBe(422);
  expect((await refused.submit("Register", { baseUrl: "", name: "Large at last" })).text).toContain(
    "Large at last is registered",
  );
});

test("an expired document has to be chosen again, which its field says", async () => {
  const form = await visitor.open("/api-management/register");
  const checked = await form.submit("Validate", largeFiles);
  for (let index = 0; index < 5; index++) {
    await (await visitor.open("/api-management/register")).submit("Validate", largeFiles);
  }
  const refused = await checked.submit("Register");
  expect(refused.status).toBe(422);
  expect(refused.errors("documentFile")).toContain("no longer kept");
});

/** An empty version of any document. */
const emptied = {
  way: "text",
  document: JSON.stringify({ openapi: "3.1.0", info: { title: "Emptied", version: "2" }, paths: {} }),
};

test("a review of changes names the affected tests of each change, and links to them", async () => {
  const { apiId } = await makeTests(portal.backend, targetApi);
  const review = await (await visitor.open(`/api-management/${apiId}/details/import`)).submit(
    "Review the changes",
    emptied,
  );
  expect(review.text).toContain("2 tests of this API call what they touch");
  const [row] = review.rows("Wants the impossible");
  expect(row).toContain("Lists books");
  expect(row).toContain("Request: It calls an operation that was removed.");
  expect(review.rows("/slow")[0]).toContain("None");
  expect((await review.follow("Lists books")).heading).toBe("Lists books");
});

test("a review says which assertion of which test breaks, and which circle runs it", async () => {
  const { apiRegistry, testRegistry } = portal.backend;
  const answering = (properties: object) => ({
    openapi: "3.1.0",
    info: { title: "Reviewed by the test", version: "1" },
    servers: [{ url: targetApi.origin }],
    paths: {
      "/books": {
        get: {
          responses: {
            200: {
              description: "ok",
              content: { "application/json": { schema: { type: "array", items: { type: "object", properties } } } },
            },
          },
        },
      },
    },
  });
  const text = { type: "string" };
  const before = JSON.stringify(answering({ id: text, title: text }));
  const { id: apiId } = requireValue(await apiRegistry.registerApi({ body: { source: { document: before } } }), "API");
  const assertions = [
    { source: "statusCode" as const, comparison: "equals" as const, target: 200 },
    { source: "jsonPath" as const, property: "$[0].title", comparison: "isNotNull" as const },
  ];
  const body = { name: "Has titles", method: "get", path: "/books", request: {}, assertions };
  const { id: testId } = requireValue(await testRegistry.createTest({ params: { apiId }, body }), "test");
  const circle = { name: "Each morning", members: [{ kind: "test" as const, testId }] };
  requireValue(await testRegistry.createCircle({ body: circle as never }), "circle");
  const review = await (await visitor.open(`/api-management/${apiId}/details/import`)).submit("Review the changes", {
    way: "text",
    document: JSON.stringify(answering({ id: text, name: text })),
  });
  expect(review.text).toContain("1 test of this API calls what they touch; 1 listed test breaks.");
  const [row] = review.rows("Has titles");
  expect(row).toContain('"title" of an item of the response 200 was removed.');
  expect(row).toContain("Assertion 2: The response no longer describes $[0].title.");
  expect(row).toContain("Runs in Each morning.");
  expect(review.text).toContain("No alert rule applies: failures open incidents without an alert.");
  const scope = { kind: "api" as const, apiId };
  requireValue(await portal.backend.testAnalyzer.createRule({ body: { scope } as never }), "rule");
  const again = await review.submit("Review again");
  expect(again.text).toContain("Alert rules that apply to failures: of this API.");
});

test("importing a version whose base path moved into its paths takes the tests along", async () => {
  const { apiRegistry, testRegistry } = portal.backend;
  const located = (base: string, path: string) =>
    JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Moved", version: "1" },
      servers: [{ url: targetApi.origin + base }],
      paths: { [path]: { get: { responses: { 200: { description: "ok" } } } } },
    });
  const source = { document: located("/open", "/books") };
  const { id: apiId } = requireValue(await apiRegistry.registerApi({ body: { source } }), "API");
  const body = { name: "Follows", method: "get", path: "/books", request: {}, checks: ["not_a_server_error" as const] };
  const { id: testId } = requireValue(await testRegistry.createTest({ params: { apiId }, body }), "test");
  const review = await (await visitor.open(`/api-management/${apiId}/details/import`)).submit("Review the changes", {
    way: "text",
    document: located("", "/open/books"),
  });
  expect(review.text).toContain("0 added, 1 changed, 0 removed");
  expect(review.rows("/open/books")[0]).toContain("Follows");
  await review.submit("Import");
  await expect
    .poll(async () => requireValue(await testRegistry.getTest({ params: { testId } }), "test").path, {
      timeout: 10_000,
    })
    .toBe("/open/books");
});

test("a review of changes names the missing part while a service is unavailable", async () => {
  const failing = await startFailingService();
  failing.respondWith(0);
  const beside = await openHandledPortal({ TEST_REGISTRY_URL: failing.origin });
  const besideVisitor = await beside.signIn();
  const source = { way: "url", url: targetApi.documentUrl };
  await (await besideVisitor.open("/api-management/register")).submit("Register", { ...source, name: "Reviewed" });
  const overview = await (await besideVisitor.open("/api-management/list")).follow("Reviewed");
  const details = await overview.follow("Settings");
  const review = await (await details.follow("Import a new version")).submit("Review the changes", emptied);
  expect(review.text).toMatch(/\d breaking changes?\./);
  expect(review.text).toContain("Tests are not available right now");
  expect(review.text).toContain("Which tests a change touches is not shown");
  await beside.stop();
  await failing.stop();
});

test("the viewer searches and sends without script", async () => {
  const viewer = await (await register("Bookshop, plain")).follow("Reference");
  const found = await visitor.open(`${viewer.address}/operations?query=price`);
  expect(found.text).toContain("Operations with “price”");
  const operation = await found.follow("/books/{bookId}/price");
  const refused = await operation.submit("Send", { "path.bookId": "" });
  expect(refused.text).toContain("Enter bookId");
  const sent = await refused.submit("Send", { "path.bookId": "2" });
  expect(sent.text).toContain("12.50");
  expect(sent.value("path.bookId")).toBe("2");
});
