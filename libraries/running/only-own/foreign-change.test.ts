import { expect, test } from "vitest";
import { type TestRequest, testRequest } from "#contracts/test-registry/requests.ts";
import { findChangedResource, namesIdentifier } from "./changed-resource.ts";
import { explainForeignChange, leadsToSame, type Origin } from "./foreign-change.ts";

const why = "comes from the environment.";
const findOrigin = (name: string): Origin => (name.startsWith("own") ? { isMade: true } : { isMade: false, why });

function explain(method: string, path: string, request: Partial<Record<keyof TestRequest, unknown>> = {}) {
  const changing = { method, path, request: testRequest.parse(request) };
  return explainForeignChange(changing, findChangedResource(changing), findOrigin);
}
const pairs = (values: Record<string, string>) => Object.entries(values).map(([name, value]) => ({ name, value }));
const remove = (path: string, values: Record<string, string>) =>
  explain("delete", path, { pathParameters: pairs(values) });
const json = (text: string) => ({ body: { kind: "json", text } });

test("the last path parameter identifies what is changed", () => {
  expect(remove("/books/{bookId}", { bookId: "{{ownBook}}" })).toBeUndefined();
  expect(remove("/shops/{shop}/books/{bookId}", { shop: "1", bookId: "{{ownBook}}" })).toBeUndefined();
  expect(explain("post", "/books/{bookId}/archive", { pathParameters: pairs({ bookId: " {{ ownBook }} " }) })).toBe(
    undefined,
  );
  expect(remove("/shops/{shop}/books/{bookId}", { shop: "{{ownShop}}", bookId: "{{bookId}}" })).toBe(
    "Not sent: DELETE /shops/{shop}/books/{bookId} would change a book that this run did not create. bookId comes from the environment.",
  );
});

test.each([
  ["typed", "7", "{bookId} is typed into the test."],
  ["a text around a captured value", "1{{ownBook}}", "{bookId} is more than one captured value."],
  ["several ids", "{{ownBook}},{{ownBook}}", "{bookId} is more than one captured value."],
  ["another's beside its own", "{{ownBook}},{{bookId}}", "bookId comes from the environment."],
  ["nothing", "", "{bookId} is typed into the test."],
])("a path parameter that is %s identifies nothing that was made", (_, value, sentence) => {
  expect(remove("/books/{bookId}", { bookId: value })).toContain(`did not create. ${sentence}`);
});

test("a parameter that is switched off or missing identifies nothing", () => {
  const off = [{ name: "bookId", value: "{{ownBook}}", enabled: false }];
  expect(explain("delete", "/books/{bookId}", { pathParameters: off })).toContain("typed into the test");
  expect(remove("/books/{bookId}", {})).toContain("typed into the test");
  const twice = [...pairs({ bookId: "{{ownBook}}" }), ...pairs({ bookId: "7" })];
  expect(explain("delete", "/books/{bookId}", { pathParameters: twice }), "the last one is sent").toContain("typed");
});

test("what is changed is named as in the path", () => {
  const noun = (path: string) => /would change (.*?) that this run/.exec(remove(path, {})!)![1];
  expect(noun("/books/{id}")).toBe("a book");
  expect(noun("/v1/event-types/{id}/move")).toBe("an event type");
  expect(noun("/categories/{id}")).toBe("a category");
  expect(noun("/{anything}")).toBe("something");
  expect(noun("/settings")).toBe("something");
});

test("without a path parameter, an identifier in the query or the body has to be the run's own", () => {
  const query = (values: Record<string, string>) => explain("delete", "/books", { query: pairs(values) });
  expect(query({ bookId: "{{ownBook}}" })).toBeUndefined();
  expect(query({ "filter[id]": "{{ownBook}}", title: "x" })).toBeUndefined();
  expect(query({ where: '{"id":{{ownBook}}}' })).toBeUndefined();
  expect(query({ where: '{"id":{"inq":["{{ownBook}}","{{ownOther}}"]}}' })).toBeUndefined();
  for (const text of [
    '{"id":"{{ownBook}}","title":"x"}',
    '{"ids":[{{ownBook}}]}',
    '["{{ownBook}}"]',
    '{"a":[{"book_id":{{ownBook}}}]}',
  ]) {
    expect(explain("put", "/books", json(text)), text).toBeUndefined();
    expect(explain("post", "/books/archive", json(text)), text).toBeUndefined();
  }
  for (const kind of ["form", "multipart"]) {
    const key = kind === "form" ? "fields" : "parts";
    expect(explain("post", "/archive", { body: { kind, [key]: pairs({ id: "{{ownBook}}" }) } })).toBeUndefined();
  }
  expect(
    explain("post", "/archive", { body: { kind: "text", text: "<id>{{ownBook}}</id>", mediaType: "text/xml" } }),
  ).toBe(undefined);
});

test("no other value of a query or body makes a request the run's own", () => {
  const nothing = "Neither its query nor its body identifies something that this run made.";
  expect(explain("put", "/settings", json('{"title":"{{ownTitle}}"}'))).toBe(
    `Not sent: PUT /settings would change something that this run did not create. ${nothing}`,
  );
  expect(explain("put", "/settings", json('{"id":"{{id}}"}'))).toContain(`${nothing} id ${why}`);
  expect(explain("delete", "/books", { query: pairs({ api_key: "{{ownKey}}" }) })).toContain(nothing);
  expect(explain("delete", "/books", { query: pairs({ where: '{"id":{"neq":{{ownBook}}}}' }) })).toContain(nothing);
  expect(
    explain("delete", "/books", { query: pairs({ where: '{"or":[{"id":{{ownBook}}},{"title":"x"}]}' }) }),
  ).toContain(nothing);
  expect(explain("delete", "/books", { headers: pairs({ "x-id": "{{ownBook}}" }) })).toContain(nothing);
  expect(explain("put", "/books", json('{"id": {{ownBook}}, broken'))).toContain(nothing);
  expect(explain("post", "/wipe", { body: { kind: "none" } })).toContain(nothing);
});

test("the content of a DELETE and of a PATCH identifies nothing: a server may change the whole list", () => {
  expect(explain("delete", "/books", json('{"ids":["{{ownBook}}"]}'))).toContain("Not sent: DELETE /books");
  expect(explain("patch", "/books", json('{"id":"{{ownBook}}","title":"x"}'))).toContain("Not sent: PATCH /books");
  expect(explain("patch", "/books", { query: pairs({ id: "{{ownBook}}" }), ...json("{}") })).toBeUndefined();
});

test("a request that names another beside its own is not sent", () => {
  expect(explain("post", "/archive", json('{"ids":["{{ownBook}}", 7]}'))).toContain(
    "It names another beside its own: An identifier is typed into the test.",
  );
  const query = [...pairs({ id: "{{ownBook}}" }), ...pairs({ id: "{{bookId}}" })];
  expect(explain("delete", "/books", { query })).toContain("It names another beside its own: bookId comes from");
});

test("the explanation has no values", () => {
  expect(remove("/books/{bookId}", { bookId: "s3cret" })).not.toContain("s3cret");
  expect(explain("put", "/books", json('{"id":"s3cret"}'))).not.toContain("s3cret");
});

test("names of identifiers are distinguished from others", () => {
  expect(
    ["id", "ID", "bookId", "book_ids", "filter[id]", "uuid", "data.bookUuid"].filter((name) => !namesIdentifier(name)),
  ).toEqual([]);
  expect(["paid", "title", "apiKey", "token", "idea", "id[neq]", ""].filter(namesIdentifier)).toEqual([]);
});

test("a redirect leads to the same thing with https or a slash at its end, and nowhere else", () => {
  const leads = (to: string) => leadsToSame("http://api.test/v1/books/7?a=1", { url: new URL(to) });
  expect(leads("https://api.test/v1/books/7?a=1")).toBe(true);
  expect(leads("http://api.test/v1/books/7/?a=1")).toBe(true);
  for (const to of ["/v1/books/8?a=1", "/v1/books?a=1", "/v1/books/7", "/v1/books/7?a=1&all=1", "/v2/books/7?a=1"]) {
    expect(leads(`http://api.test${to}`), to).toBe(false);
  }
  expect(leads("http://other.test/v1/books/7?a=1")).toBe(false);
});
