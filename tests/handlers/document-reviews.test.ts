import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";

let portal: HandledPortal;
let visitor: Visitor;
beforeAll(async () => {
  portal = await openHandledPortal();
  visitor = await portal.signIn();
});
afterAll(() => portal.stop());

const register = async (document: object) => {
  const body = { source: { document: JSON.stringify(document) } };
  return requireValue(await portal.backend.apiRegistry.registerApi({ body }), "API").id;
};
const review = async (apiId: string, document: object) => {
  const documentFile = [new File([JSON.stringify(document)], "new.json")];
  const form = await visitor.open(`/api-management/${apiId}/details/import`);
  return await form.submit("Review the changes", { way: "file", documentFile });
};

const text = { type: "string" };
const content = {
  "application/json": { schema: { type: "object", properties: { id: text, title: text }, required: ["title"] } },
};
const answer = (status: number) => ({ responses: { [status]: { description: "ok", content } } });

function bookshop(item: object, { server = "https://books.example.com", base = "" } = {}) {
  return {
    openapi: "3.1.0",
    info: { title: "Bookshop with lives", version: "1" },
    servers: [{ url: server }],
    paths: {
      [`${base}/books`]: { post: { requestBody: { content }, ...answer(201) } },
      [`${base}/books/{bookId}`]: {
        parameters: [{ name: "bookId", in: "path", required: true, schema: text }],
        get: answer(200),
        ...item,
      },
    },
  };
}

test("a review says which life of a resource changes, and links to the circles that hold it", async () => {
  const { testRegistry } = portal.backend;
  const apiId = await register(bookshop({ delete: { responses: { 204: { description: "gone" } } } }));
  const body = { name: "Create a book", method: "post", path: "/books", request: {}, checks: ["not_a_server_error"] };
  const { id: testId } = requireValue(
    await testRegistry.createTest({ params: { apiId }, body: body as never }),
    "test",
  );
  const members = [{ kind: "test", testId, effect: "makes" }];
  const circle = { name: "Life of a book", members };
  requireValue(await testRegistry.createCircle({ body: circle as never }), "circle");
  const all = { name: "Everything there is", members: [{ kind: "selection", apiId }] };
  requireValue(await testRegistry.createCircle({ body: all as never }), "circle");

  const page = await review(apiId, bookshop({ patch: { requestBody: { content }, ...answer(200) } }));
  expect(page.text).toContain(
    "The life of a book changes: DELETE /books/{bookId} is no longer there, so what a run creates stays. In Life of a book.",
  );
  expect(page.text).toContain("A new step is possible: PATCH /books/{bookId}.");
  expect(page.text).not.toContain("Everything there is");
  expect((await page.follow("Life of a book")).heading).toBe("Life of a book");
});

test("a review names the environments whose base URL follows a base path or sends other requests, and importing does it", async () => {
  const { apiRegistry } = portal.backend;
  const apiId = await register(bookshop({}, { server: "https://books.example.com/v1" }));
  const items = [
    { name: "staging", baseUrl: "https://staging.example.com/v1" },
    { name: "bare", baseUrl: "https://bare.example.com" },
  ];
  requireValue(await apiRegistry.replaceEnvironments({ params: { apiId }, body: { items } }), "environments");
  const page = await review(apiId, bookshop({}, { base: "/v1" }));
  expect(page.text).toContain(
    "Importing changes the base URL of staging from https://staging.example.com/v1 to https://staging.example.com: requests still go to https://staging.example.com/v1/books.",
  );
  expect(page.text).toContain(
    "The base URL of bare stays https://bare.example.com: what went to https://bare.example.com/books goes to https://bare.example.com/v1/books.",
  );
  await page.submit("Import");
  const { items: after } = requireValue(await apiRegistry.listEnvironments({ params: { apiId } }), "environments");
  expect(after.map(({ baseUrl }) => baseUrl)).toEqual(["https://staging.example.com", "https://bare.example.com"]);
});

interface Schemas {
  components: { schemas: Record<string, { type?: string; pattern?: string }> };
  paths: Record<string, Record<string, unknown>>;
}

test("a review where a shared schema changes thousands of operations stays below 100 KB, and counts what it leaves out", async () => {
  const { components, paths } = JSON.parse(
    readFileSync("tests/fixtures/openapi/valid/discord-v31.json", "utf8"),
  ) as Schemas;
  // The largest document five times over: 1,200 operations.
  const copies = Array.from({ length: 5 }, (_, index) =>
    Object.entries(paths).map(([path, item]) => {
      const operations = Object.entries(item).map(([method, operation]) => {
        const isOperation = typeof operation === "object" && operation !== null && "operationId" in operation;
        return [method, isOperation ? { ...operation, operationId: `${operation.operationId}${index}` } : operation];
      });
      return [`/copy${index}${path}`, Object.fromEntries(operations)] as const;
    }),
  ).flat();
  const document = {
    openapi: "3.1.0",
    info: { title: "Large", version: "1" },
    servers: [{ url: "https://large.example.com" }],
    paths: Object.fromEntries(copies),
    components,
  };
  const apiId = await register(document);
  const changed = structuredClone(document);
  changed.components.schemas.SnowflakeType = { type: "integer" };
  const page = await review(apiId, changed);
  const counted = /0 added, ([\d,]+) changed, 0 removed/.exec(page.text)?.[1];
  expect(Number(counted?.replace(",", ""))).toBeGreaterThan(1_000);
  expect(page.html.length).toBeLessThan(100_000);
  expect(page.text).toMatch(/And [\d,]+ others\./);
});
