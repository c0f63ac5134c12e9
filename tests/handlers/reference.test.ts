import { afterAll, beforeAll, expect, test } from "vitest";
import type { FormPage } from "../support/form-page.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";

let portal: HandledPortal;
let visitor: Visitor;
beforeAll(async () => {
  portal = await openHandledPortal();
  visitor = await portal.signIn();
});
afterAll(async () => portal.stop());

const responses = { 200: { description: "Fine" } };
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** @returns address of its reference */
async function register(name: string, paths: Record<string, unknown>): Promise<string> {
  const document = JSON.stringify({ openapi: "3.1.0", info: { title: name, version: "1" }, paths });
  const form = await visitor.open("/api-management/register");
  const registered = await form.submit("Register", { way: "text", document, name });
  return (await registered.follow("Reference")).address;
}

/** The list next to a page, group by group. */
function groupsIn(markup: string): string[] {
  const list = /<nav aria-label="Operations".*?<\/nav>/s.exec(markup)?.[0] ?? "";
  return list
    .split("<details")
    .slice(1)
    .map((part) => {
      const isOpen = /^[^>]* open/.test(part);
      return `${isOpen ? "open" : "closed"} ${part.slice(part.indexOf(">") + 1).replace(/<[^>]+>/g, "")}`;
    });
}

test("a small document is listed completely, in groups by tag and by path where there is none", async () => {
  const reference = await register("Small groups", {
    "/v1/pets": { get: { responses } },
    "/v1/pets/{petId}": { delete: { responses } },
    "/orders": { get: { tags: ["orders", "money"], responses } },
  });
  const { html } = await visitor.open(reference);
  expect(groupsIn(html)).toEqual([
    "open money 1 operationGET /orders",
    "open orders 1 operationGET /orders",
    "open /pets 2 operationsGET /v1/petsDELETE /v1/pets/{petId}",
  ]);
  expect(html).toContain("/v1<wbr/>/pets<wbr/>/{petId}");
});

test("a large document opens one group at a time and shows the number of further rows", async () => {
  const reference = await register("Large groups", {
    ...Object.fromEntries(numbers(45).map((number) => [`/books/${number}`, { get: { responses } }])),
    ...Object.fromEntries(numbers(3).map((number) => [`/authors/${number}`, { get: { responses } }])),
  });
  const overview = await visitor.open(reference);
  expect(groupsIn(overview.html)).toEqual([
    "closed /books 45 operations45 operations",
    "closed /authors 3 operations3 operations",
  ]);
  const books = await overview.follow("45 operations");
  expect(books.heading).toBe("/books");
  expect(books.text).toContain("45 operations");
  const last = await visitor.open(`${reference}/operation?method=get&path=%2Fbooks%2F45`);
  const [open, closed] = groupsIn(last.html);
  expect(open).toMatch(/^open \/books 45 operations.*GET \/books\/40GET \/books\/454 more operations$/);
  expect(closed).toMatch(/^closed \/authors/);
  expect(last.html.match(/aria-current="page"[^>]*><span[^>]*><span[^>]*>GET/g)).toHaveLength(1);
});

test("an opened group stays open while other groups are visited, without script by the address", async () => {
  const schema = { type: "object", properties: { id: { type: "object", properties: { of: { type: "string" } } } } };
  const requestBody = {
    content: { "application/json": { schema, examples: { one: { value: 1 }, two: { value: 2 } } } },
  };
  const reference = await register("Opened groups", {
    ...Object.fromEntries(numbers(45).map((number) => [`/books/${number}`, { get: { responses } }])),
    ...Object.fromEntries(numbers(3).map((number) => [`/authors/${number}`, { get: { responses } }])),
    "/shops": { post: { tags: ["a,b: c"], requestBody, responses } },
  });
  const authors = await (await visitor.open(reference)).follow("3 operations");
  const author = await authors.follow("GET /authors/2");
  expect(groupsIn(author.html).map((group) => group.split(" ", 2).join(" "))).toEqual([
    "closed a,b:",
    "closed /books",
    "open /authors",
  ]);
  const book = await (await author.follow("45 operations")).follow("GET /books/7");
  expect(book.text).toContain("/books/7");
  const shop = await (await book.follow("1 operation")).follow("POST /shops");
  const areOpen = ({ html }: FormPage) => groupsIn(html).map((group) => group.split(" ", 1)[0]);
  expect(areOpen(shop)).toEqual(["open", "open", "open"]);
  expect(areOpen(await shop.submit("Use it"))).toEqual(["open", "open", "open"]);
  expect(areOpen(await shop.submit("Send"))).toEqual(["open", "open", "open"]);
  expect((await visitor.open(`${reference}?open=%zz,tag,prefix%3Aauthors`)).status).toBe(200);
});

test("opening a group loads only its rows, and a search reports the number of matches", async () => {
  const paths = numbers(60).map((number) => [`/songs/${number}`, { get: { responses } }]);
  const reference = await register("Songs", Object.fromEntries(paths));
  const rows = await visitor.open(`${reference}/filter?prefix=songs&rows=only`);
  expect(rows.html).toMatch(/^<ul/);
  expect(rows.html).toContain("20 more operations");
  const found = await visitor.open(`${reference}/filter?query=songs`);
  expect(found.headers.get("x-operation-count")).toBe("60");
  expect(found.html).toContain("20 more operations");
});

test("one of the document's examples is used in the code and the body, and keeps its type in the form", async () => {
  const schema = { type: "object", properties: { title: { type: "string" } } };
  const reference = await register("Examples", {
    "/books": {
      post: {
        requestBody: {
          content: {
            "application/json": {
              schema,
              examples: {
                short: { value: { title: "Emma" } },
                long: { summary: "Long one", value: { title: "Ulysses" } },
              },
            },
            "application/xml": { schema, example: "<book>Persuasion</book>" },
          },
        },
        responses,
      },
    },
  });
  const page = await visitor.open(`${reference}/operation?method=post&path=%2Fbooks`);
  expect(page.value("body")).toContain("Emma");
  const long = await page.submit("Use it", { example: "0.1" });
  expect(long.value("body")).toContain("Ulysses");
  expect(long.text).toMatch(/curl.*Ulysses/);
  const xml = await long.submit("Use it", { example: "1.0" });
  expect([xml.value("body"), xml.value("mediaType")]).toEqual(["<book>Persuasion</book>", "application/xml"]);
  expect(xml.text).toMatch(/curl.*Persuasion/);
});

test("digits that a double loses are the same in the form, its code and the document's examples", async () => {
  const digits = "9007199254740993";
  const paths = {
    "/books/{bookId}": {
      put: {
        parameters: [{ name: "bookId", in: "path", required: true, schema: { type: "integer" }, example: "DIGITS" }],
        requestBody: { content: { "application/json": { schema: {}, example: { isbn: "DIGITS" } } } },
        responses,
      },
    },
  };
  const document = JSON.stringify({ openapi: "3.1.0", info: { title: "Digits", version: "1" }, paths });
  const form = await visitor.open("/api-management/register");
  const written = document.replaceAll('"DIGITS"', digits);
  const registered = await form.submit("Register", { way: "text", document: written, name: "Digits" });
  const reference = (await registered.follow("Reference")).address;
  const page = await visitor.open(`${reference}/operation?method=put&path=%2Fbooks%2F%7BbookId%7D`);
  expect([page.value("path.bookId"), page.value("body")]).toEqual([digits, `{\n  "isbn": ${digits}\n}`]);
  expect(page.text.match(/\d{16,}/g)?.every((one) => one === digits)).toBe(true);
  const sent = await page.submit("Send", { baseUrl: "http://127.0.0.1:1", "path.bookId": "12345678901234567890" });
  expect(sent.text).toContain("http://127.0.0.1:1/books/12345678901234567890");
});

test("the code next to the form follows the input, without script once it is sent", async () => {
  const parameters = [
    { name: "bookId", in: "path", required: true, schema: { type: "string" } },
    { name: "X-Trace", in: "header", required: true, schema: { type: "string" } },
  ];
  const reference = await register("Typed", { "/books/{bookId}": { get: { parameters, responses } } });
  const at = "method=get&path=%2Fbooks%2F%7BbookId%7D";
  const page = await visitor.open(`${reference}/operation?${at}`);
  const typed = { baseUrl: "https://typed.test", "path.bookId": "4711", "header.X-Trace": "" };
  const sent = await page.submit("Send", typed);
  expect([sent.status, sent.text]).toEqual([422, expect.stringContaining("https://typed.test/books/4711")]);
  const code = await visitor.post(`${reference}/send?${at}`, { ...typed, intent: "code" });
  expect([code.status, code.html]).toEqual([200, expect.stringContaining("https://typed.test/books/4711")]);
});

test("an operation links to its tests and shows their last results", async () => {
  const reference = await register("Tested", { "/books": { get: { responses } }, "/authors": { get: { responses } } });
  const untested = await visitor.open(`${reference}/operation?method=get&path=%2Fauthors`);
  expect(untested.text).toContain("This operation has no test yet.");
  const make = await untested.follow("Create test");
  expect(make.text).toContain("/authors");
  await make.submit("Create test", {});
  const tested = await visitor.open(untested.address);
  expect(tested.text).not.toContain("This operation has no test yet.");
  expect(tested.text).toMatch(/Create test.*Not run/);
  expect((await visitor.open(`${reference}/operation?method=get&path=%2Fbooks`)).text).toContain("no test yet");
});
