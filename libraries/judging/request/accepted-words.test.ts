import { expect, test } from "vitest";
import type { JudgeInput } from "#contracts/test-analyzer/verifications.ts";
import { judgeResponse, noEvaluators } from "../judge-response.ts";
import { itemWith, operationWith } from "../testing/items.ts";

const parameter = (name: string, place: "path" | "query" | "header" | "cookie", schema: object, required = false) => ({
  ...{ name, in: place, required, schema: schema as Record<string, unknown>, examples: [] },
  ...{ deprecated: false, description: "", explode: place === "query" || place === "cookie", allowReserved: false },
  style: (place === "query" || place === "cookie" ? "form" : "simple") as "form" | "simple",
});

const schema = {
  type: "object",
  required: ["title", "id"],
  additionalProperties: false,
  properties: {
    id: { type: "integer", readOnly: true },
    password: { type: "string", writeOnly: true },
    title: { type: "string", minLength: 1, maxLength: 5 },
    state: { enum: ["open", "closed"] },
    pages: { type: "integer", minimum: 1, exclusiveMaximum: 100, multipleOf: 5 },
    isbn: { type: "string", pattern: "^\\d+$" },
    shelf: { type: "string", format: "uuid" },
    tags: { type: "array", items: { type: "string" }, minItems: 1, uniqueItems: true },
    author: { $ref: "#/components/schemas/Author" },
  },
};
const components = {
  "#/components/schemas/Author": { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
};
const books = operationWith(
  {
    ...{ method: "post", path: "/books/{shelf}" },
    requestBody: {
      ...{ required: true, description: "" },
      content: [{ mediaType: "application/json", schema, examples: [] }],
    },
    parameters: [
      parameter("shelf", "path", { type: "integer" }),
      parameter("limit", "query", { type: "integer", maximum: 10 }),
      parameter("sort", "query", { type: "array", items: { enum: ["title"] } }),
      parameter("X-Tenant", "header", { type: "string" }, true),
      parameter("theme", "cookie", { enum: ["dark"] }),
    ],
    security: [[{ schemeName: "key", scopes: [] }]],
  },
  { components },
);

interface Sent {
  url?: string;
  body?: unknown;
  text?: string;
  headers?: [string, string][];
  status?: number;
  authorized?: boolean;
}

function say(sent: Sent, operation: JudgeInput["operation"] = books): string {
  const { url = "http://api.test/v1/books/7", body = { title: "a" }, text = JSON.stringify(body), status = 201 } = sent;
  const headers: [string, string][] = sent.headers ?? [["X-Tenant", "a"]];
  const { operation: _, ...item } = itemWith({
    request: {
      ...{ method: "POST", url, body: text, bodyBytes: text.length },
      headers: [["content-type", "application/json"], ...headers],
    },
    response: { status },
    authorized: sent.authorized ?? true,
    checks: ["negative_data_rejection"],
  }) as JudgeInput;
  return judgeResponse(item, operation, noEvaluators).verifications[0]!.message;
}

const filter = {
  ...{ type: "object", required: ["status"], additionalProperties: false },
  properties: { status: { enum: ["open"] }, pages: { type: "integer", minimum: 1 } },
};
const numbers = { type: "array", items: { type: "integer" }, maxItems: 2 };

const place = "(POST /books/{shelf}, 201).";

test.each<[body: object, said: string]>([
  [{ title: 5 }, "`title: 5` although a string is documented"],
  [{ title: "" }, '`title: ""` although at least 1 character is documented'],
  [{ title: "abcdef" }, '`title: "abcdef"` although at most 5 characters are documented'],
  [{ title: "a", state: "lost" }, '`state: "lost"` although only "open", "closed" are documented'],
  [{ title: "a", pages: 0 }, "`pages: 0` although at least 1 is documented"],
  [{ title: "a", pages: 100 }, "`pages: 100` although less than 100 is documented"],
  [{ title: "a", pages: 7 }, "`pages: 7` although a multiple of 5 is documented"],
  [{ title: "a", isbn: "x" }, '`isbn: "x"` although `^\\d+$` is documented'],
  [{ title: "a", shelf: "x" }, '`shelf: "x"` although a UUID is documented'],
  [{ title: "a", tags: [] }, "`tags: []` although at least 1 item is documented"],
  [{ title: "a", tags: ["a", "a"] }, '`tags: ["a","a"]` although no equal items are documented'],
  [{ title: "a", tags: [1] }, "`tags[0]: 1` although a string is documented"],
  [{ title: "a", author: {} }, "a body without `author.name` although it is required"],
  [{ title: "a", author: { name: null } }, "`author.name: null` although a string is documented"],
  [{ title: "a", notDocumented: "a" }, '`notDocumented: "a"` although no such member is documented'],
  [{ password: "a" }, "a body without `title` although it is required"],
])("of %j that was accepted a sentence says what the document says", (body, said) => {
  expect(say({ body })).toBe(`Accepted ${said} ${place}`);
});

test.each<[sent: Sent, said: string]>([
  [{ url: "http://api.test/books/abc" }, '`shelf: "abc"` in the path although a whole number is documented'],
  [{ url: "http://api.test/books/7?limit=11" }, "`limit: 11` in the query although at most 10 is documented"],
  [{ url: "http://api.test/books/7?sort=x" }, '`sort[0]: "x"` in the query although only "title" are documented'],
  [{ headers: [] }, "a request without the header `X-Tenant` although it is required"],
  [
    {
      headers: [
        ["X-Tenant", "a"],
        ["Cookie", "theme=light"],
      ],
    },
    '`theme: "light"` in the cookie although only "dark" are documented',
  ],
  [{ text: "" }, "a request without a body although one is required"],
  [{ text: '{"' }, "a body that is no JSON although application/json is documented"],
  [{ authorized: false }, "a request without credentials although they are required"],
])("of the request %j, too", (sent, said) => {
  expect(say(sent)).toBe(`Accepted ${said} ${place}`);
});

test.each<[style: string, place: "path" | "query" | "header", schema: object, sent: string, said: string]>([
  [
    "deepObject",
    "query",
    filter,
    "?filter[status]=x",
    '`filter.status: "x"` in the query although only "open" are documented',
  ],
  [
    "deepObject",
    "query",
    filter,
    "?filter%5Bpages%5D=0&filter%5Bstatus%5D=open",
    "`filter.pages: 0` in the query although at least 1 is documented",
  ],
  [
    "deepObject",
    "query",
    filter,
    "?filter[pages]=1",
    "a request without `filter.status` in the query although it is required",
  ],
  [
    "deepObject",
    "query",
    filter,
    "?filter[status]=open&filter[of]=a",
    '`filter.of: "a"` in the query although no such member is documented',
  ],
  ["deepObject", "query", filter, "?limit=1", "a request without the query parameter `filter` although it is required"],
  ["label", "path", { type: "integer" }, ".abc", '`filter: "abc"` in the path although a whole number is documented'],
  [
    "label explode",
    "path",
    filter,
    ".status=x.pages=2",
    '`filter.status: "x"` in the path although only "open" are documented',
  ],
  ["label", "path", filter, ".pages,2", "a request without `filter.status` in the path although it is required"],
  [
    "matrix",
    "path",
    { type: "integer", maximum: 5 },
    ";filter=6",
    "`filter: 6` in the path although at most 5 is documented",
  ],
  ["matrix", "path", numbers, ";filter=1,2,3", "`filter: [1,2,3]` in the path although at most 2 items are documented"],
  [
    "matrix explode",
    "path",
    numbers,
    ";filter=1;filter=x",
    '`filter[1]: "x"` in the path although a whole number is documented',
  ],
  [
    "matrix explode",
    "path",
    filter,
    ";status=open;pages=0",
    "`filter.pages: 0` in the path although at least 1 is documented",
  ],
  [
    "pipeDelimited",
    "query",
    numbers,
    "?filter=1%7Cx",
    '`filter[1]: "x"` in the query although a whole number is documented',
  ],
  ["form", "query", numbers, "?filter=1,2,3", "`filter: [1,2,3]` in the query although at most 2 items are documented"],
])("of a parameter of the style %s in the %s, %j sent as %s, too", (style, place, schema, sent, said) => {
  const [name, explode] = style.split(" ");
  const own = { ...parameter("filter", place, schema, true), style: name as "form", explode: explode !== undefined };
  const path = place === "path" ? "/books/{filter}" : "/books";
  const operation = operationWith({ method: "get", path, parameters: [own] });
  const url = `http://api.test/v1/books${place === "path" ? `/${sent}` : sent}`;
  const words = say({ url, status: 200, authorized: true, text: "" }, operation);
  expect(words).toBe(`Accepted ${said} (GET ${path}, 200).`);
});

test("a server error and a redirect are no acceptance, and a refusal is right", () => {
  expect(say({ body: { title: 5 }, status: 500 })).toBe(
    "Server error on `title: 5`, although a string is documented (POST /books/{shelf}, 500).",
  );
  expect(say({ body: { title: 5 }, status: 302 })).toBe(
    "Did not refuse `title: 5` although a string is documented (POST /books/{shelf}, 302).",
  );
  expect(say({ body: { title: 5 }, status: 422 })).toBe(
    "Expected the request to be refused with a status from 400 to 499, got 422.",
  );
});

test("a request that keeps to the document is expected to be refused as before", () => {
  expect(say({})).toBe("Expected the request to be refused with a status from 400 to 499, got 201.");
  expect(say({}, null as never)).toBe("Accepted POST, which is not documented for this path (POST /v1/books/7, 201).");
});

test("a sentence shows no secret that was sent", () => {
  const { operation, ...item } = itemWith({
    request: {
      ...{ method: "POST", url: "http://api.test/books/7", body: '{"title":"hunter22"}', bodyBytes: 20 },
      headers: [
        ["content-type", "application/json"],
        ["X-Tenant", "a"],
      ],
    },
    response: { status: 201 },
    checks: ["negative_data_rejection"],
  }) as JudgeInput;
  const [found] = judgeResponse({ ...item, secrets: [{ secret: "hunter22" }] }, books, noEvaluators).verifications;
  expect(found!.message).toMatch(/^Accepted `title: /);
  expect(found!.message).not.toContain("hunter22");
});
