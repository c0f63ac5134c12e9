import { decodeJwt } from "jose";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseHtml } from "#libraries/xpath/document.ts";
import { parseXPath, selectByXPath } from "#libraries/xpath/xpath.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import type { FormPage } from "../support/form-page.ts";
import { joinAs } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { describeRelated, library, type Related } from "../support/related-api.ts";

let portal: HandledPortal;
let visitor: Visitor;
let list: string;
let apiId: string;
beforeAll(async () => {
  portal = await openHandledPortal();
  visitor = await portal.signIn();
  const book = { type: "object", properties: { id: { type: "string" }, title: { type: "string" } } };
  const json = (schema: object) => ({ content: { "application/json": { schema } } });
  const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
  const loan = {
    type: "object",
    required: ["copy"],
    properties: { bookId: { type: "string" }, copy: { type: "string" } },
  };
  const document = JSON.stringify({
    ...{ openapi: "3.1.0", info: { title: "Library", version: "1" }, servers: [{ url: "https://library.example" }] },
    paths: {
      "/books": {
        get: { responses: { 200: { description: "All", ...json({ type: "array", items: book }) } } },
        post: { requestBody: json(book), responses: { 201: { description: "Made", ...json(book) } } },
      },
      "/books/{id}": { get: { parameters: [id], responses: { 200: { description: "One", ...json(book) } } } },
      "/loans": { post: { requestBody: json(loan), responses: { 201: { description: "Lent" } } } },
      "/depots": { post: { responses: { 201: { description: "Made" } } } },
      "/items/{ref}": { get: { parameters: [{ ...id, name: "ref" }], responses: { 200: { description: "One" } } } },
    },
  });
  const made = await portal.backend.apiRegistry.registerApi({ body: { source: { document } } });
  apiId = requireValue(made, "API").id;
  list = `/api-management/${apiId}/dependencies`;
});
afterAll(() => portal.stop());

const open = () => visitor.open(`${list}/resource?key=${encodeURIComponent("/books/{}")}`);

test("the page says what paths name, where identifiers come from and why", async () => {
  const page = await visitor.open(list);
  expect(page.status).toBe(200);
  expect(page.text).toContain("/books/{id}");
  expect(page.text).toContain("POST /books, $.id of its response: id is named after it");
  expect((await open()).text).toContain("bookId in its body");
});

test("what was found is confirmed with one press, and forgotten with another", async () => {
  const confirmed = await (await open()).submit("Confirm bookId in its body, POST /loans");
  expect(confirmed.text).toContain("set manually");
  const forgotten = await confirmed.submit("Forget bookId in its body, POST /loans");
  expect(forgotten.text).not.toContain("set manually");
});

test("a value is added manually; a wrong one is an error at its field, and keeps what was typed", async () => {
  const wrong = { operation: "POST /nowhere", in: "body", name: "copy", resource: "/books/{}" };
  const refused = await (await open()).submit("Save", wrong);
  expect(refused.status).toBe(422);
  expect(refused.errors("operation")).toContain("The current document has no such operation");
  expect([refused.value("operation"), refused.value("name")]).toEqual(["POST /nowhere", "copy"]);
  const added = await refused.submit("Save", { operation: "POST /loans" });
  expect(added.text).toContain("copy in its body");
  expect((await added.submit("Forget copy in its body, POST /loans")).text).not.toContain("copy in its body");
});

test("what recorded responses showed is said in words, on both pages, and confirmed like the rest", async () => {
  const { org: organizationId } = decodeJwt<{ org: string }>(portal.backend.token);
  const depot = { method: "post", path: "/depots" };
  const to = { operation: { method: "get", path: "/items/{ref}" }, in: "path", name: "ref" };
  const seen = { from: { operation: depot, path: "$.handle" }, to, times: 12, values: 1, isDistinctive: true };
  const occurredAt = new Date().toISOString();
  const event = { id: uuidv7(), type: "dependencies.seen", organizationId, occurredAt };
  const received = await portal.ask(
    "api-registry",
    new Request("http://api-registry/internal/v1/events", {
      method: "POST",
      headers: {
        authorization: `Bearer ${await portal.serviceToken(organizationId)}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ ...event, payload: { apiId, dependencies: [seen] } }),
    }),
  );
  expect(received.status).toBe(204);
  const page = await visitor.open(list);
  expect(page.text).toContain("POST /depots, $.handle of its response: its values were accepted 12 times");
  const item = await visitor.open(`${list}/resource?key=${encodeURIComponent("/items/{}")}`);
  expect(item.text).toContain("Seen 12 times: a value of POST /depots was accepted here.");
  const confirmed = await item.submit("Confirm ref in its path, GET /items/{ref}");
  expect(confirmed.text).toContain("set manually");
});

/** The texts that an XPath selects of a page. */
function select({ html }: FormPage, expression: string): string[] {
  const selected = selectByXPath(parseXPath(expression), parseHtml(html));
  return selected.kind === "nodes" ? selected.values : [selected.value];
}

async function openRelated(related: Related) {
  const document = describeRelated(related);
  const made = await portal.backend.apiRegistry.registerApi({ body: { source: { document } } });
  return visitor.open(`/api-management/${requireValue(made, "API").id}/dependencies`);
}

test("a plot shows which resources need which, each box leads to its section, and the section says the same in words", async () => {
  const page = await openRelated(library);
  expect(page.status).toBe(200);
  const labels = select(page, "//svg/a/@aria-label");
  expect(labels).toEqual(
    expect.arrayContaining(["Shop /shops/{shopId} needs no other", "Loan /loans/{loanId} needs member, book"]),
  );
  expect(labels).not.toContain("Topic /topics/{topicId} needs no other");
  const sections = select(page, "//svg/a/@href").map((target) => select(page, `//*[@id='${target.slice(1)}']`)[0]!);
  for (const [index, section] of sections.entries())
    expect(section.startsWith(labels[index]!.split(" ")[0]!)).toBe(true);
  expect(select(page, "//svg//path[@marker-end]")).toHaveLength(10);
  expect(sections[labels.indexOf("Loan /loans/{loanId} needs member, book")]).toContain(
    "Member: memberId in its body, POST /loans",
  );
});

test("without a relation there is no plot, nor where the resources need more than a page", async () => {
  expect(select(await visitor.open(list), "//svg/a")).toEqual([]);
  const names = Array.from({ length: 41 }, (_, index) => `kind${index}s`);
  const chain = Object.fromEntries(names.map((name, index) => [name, { refersTo: names.slice(index - 1, index) }]));
  const page = await openRelated(chain);
  expect(select(page, "//svg/a")).toEqual([]);
  expect(page.text).toContain("Kind39");
});

test("the page of 40 related resources is below 100 KB, and all of them are in its plot", async () => {
  const names = Array.from({ length: 40 }, (_, index) => `kind${index}s`);
  const related = Object.fromEntries(
    names.map((name, index) => [name, { refersTo: [1, 7, 13].flatMap((step) => names[index - step] ?? []) }]),
  );
  const page = await openRelated(related);
  expect(select(page, "//svg/a")).toHaveLength(40);
  expect(page.html.length).toBeLessThan(100_000);
});

test("who may not change APIs reads them without forms", async () => {
  const viewer = await joinAs(portal, "VIEWER");
  const page = await viewer.open(`${list}/resource?key=${encodeURIComponent("/books/{}")}`);
  expect(page.status).toBe(200);
  expect(page.text).toContain("bookId in its body");
  expect(page.text).not.toContain("Correct or add one");
});
