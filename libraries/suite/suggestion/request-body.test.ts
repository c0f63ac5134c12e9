import { expect, test } from "vitest";
import { operationWith } from "#libraries/judging/testing/items.ts";
import { suggestBody } from "./request-body.ts";

type Schema = Record<string, unknown>;
const text = { type: "string" };
const integer = { type: "integer" };
const object = (properties: Schema, required = Object.keys(properties)) => ({ type: "object", properties, required });

interface Options {
  method?: string;
  path?: string;
  mediaType?: string;
  required?: boolean;
  wanted?: "required" | "all";
  example?: unknown;
}

function suggest(schema: Schema, options: Options = {}) {
  const { method = "post", path = "/books", mediaType = "application/json", required = true, example } = options;
  const examples = example === undefined ? [] : [{ name: "example", value: example }];
  const content = [{ mediaType, schema, examples, ...(example === undefined ? {} : { sample: example }) }];
  const described = operationWith({ ...{ method, path }, requestBody: { required, description: "", content } });
  return suggestBody(described, options.wanted ?? "required");
}

function suggestText(schema: Schema, options: Options = {}): string {
  const { body } = suggest(schema, options);
  return body.kind === "json" ? body.text.replace(/\s*\n\s*/g, "") : JSON.stringify(body);
}

test("a body without required members is sent empty, or not at all where it is optional", () => {
  const schema = object({ note: text, pages: integer }, []);
  expect(suggest(schema)).toMatchObject({ body: { kind: "json", text: "{}" }, leftOut: 2 });
  expect(suggest(schema, { required: false })).toMatchObject({ body: { kind: "none" }, leftOut: 2 });
  expect(suggestText(schema, { wanted: "all" })).toBe('{"note": "string","pages": 1}');
  expect(suggest(schema, { mediaType: "application/x-www-form-urlencoded" }).body).toMatchObject({
    fields: [{ enabled: false }, { enabled: false }],
  });
});

test.each<[string, Schema, string, string[]]>([
  ["customerId", { customerId: text }, '{"customerId": "{{customerId}}"}', ["customerId"]],
  ["author_id", { author_id: integer }, '{"author_id": {{author_id}}}', ["author_id"]],
  [
    "an object with an id",
    { category: object({ id: integer }) },
    '{"category": {"id": {{categoryId}}}}',
    ["categoryId"],
  ],
  ["a list of ids", { tagIds: { type: "array", items: text, minItems: 1 } }, '{"tagIds": ["{{tagId}}"]}', ["tagId"]],
  ["a UUID", { warehouse: { ...text, format: "uuid" } }, '{"warehouse": "{{warehouse}}"}', ["warehouse"]],
  ["a token", { refreshToken: text }, '{"refreshToken": "{{refreshToken}}"}', ["refreshToken"]],
])("a reference to another resource is asked for: %s", (_, properties, body, names) => {
  const suggested = suggest(object(properties));
  expect(suggestText(object(properties))).toBe(body);
  expect(suggested.values.map(({ name }) => name)).toEqual(names);
  expect(suggested.values.every((value) => value.in === "body")).toBe(true);
});

test.each<[string, Schema]>([
  ["an example", { ...text, example: "7" }],
  ["a default", { ...text, default: "7" }],
  ["an enumeration", { enum: ["7", "8"] }],
])("a reference with %s is sent as documented", (_, schema) => {
  expect(suggestText(object({ customerId: schema }))).toBe('{"customerId": "7"}');
  expect(suggest(object({ customerId: schema })).values).toEqual([]);
});

test.each<[string, Schema, string]>([
  ["name", text, "Book {{$uuid}}"],
  ["bookTitle", text, "Book {{$uuid}}"],
  ["slug", text, "book-{{$uuid}}"],
  ["username", { ...text, maxLength: 20 }, "book{{$timestamp}}"],
  ["code", { ...text, pattern: "^[a-z0-9-]+$" }, "book-{{$uuid}}"],
  ["code", { ...text, pattern: "^[A-Z]{3}$" }, "AAA"],
  ["email", { ...text, format: "email" }, "user-{{$uuid}}@example.com"],
  ["email", { ...text, format: "email", maxLength: 30 }, "u{{$timestamp}}@example.com"],
  ["id", { ...text, format: "uuid" }, "{{$uuid}}"],
  ["requestId", text, "{{$uuid}}"],
  ["currencyCode", text, "EUR"],
  ["paid", text, "string"],
])("the name of a new thing is unique where its schema allows: %s %j", (name, schema, value) => {
  expect(suggestText(object({ [name]: schema }))).toBe(JSON.stringify({ [name]: value }).replace(":", ": "));
});

test("a number of its own is unique and stays a number, also of 32 bits", () => {
  expect(suggestText(object({ id: { ...integer, format: "int32" } }))).toBe('{"id": {{$timestamp}}}');
  expect(suggestText(object({ id: { ...integer, maximum: 5_000 } }))).toBe('{"id": {{$randomInt}}}');
});

test("an identifier of the resource in the path is sent in the body, too", () => {
  const options = { method: "put", path: "/books/{id}" };
  expect(suggestText(object({ id: integer }), options)).toBe('{"id": {{bookId}}}');
  expect(suggestText(object({ book_id: text }), options)).toBe('{"book_id": "{{bookId}}"}');
  expect(suggestText(object({ shelfId: text }), options)).toBe('{"shelfId": "{{shelfId}}"}');
});

test("who signs in is asked for instead of made up", () => {
  const schema = object({ email: { ...text, format: "email" }, password: text });
  expect(suggestText(schema, { path: "/users/login" })).toBe('{"email": "{{email}}","password": "{{password}}"}');
});

test("a member that can't be made is asked for, and the rest of the body is there", () => {
  const schema = object({
    pages: integer,
    coupon: { ...text, pattern: "^(?=a)" },
    odd: { ...integer, minimum: 2, maximum: 1 },
  });
  expect(suggestText(schema)).toBe('{"pages": 1,"coupon": "{{coupon}}","odd": {{odd}}}');
  expect(suggest(schema)).toMatchObject({ values: [{ name: "coupon" }, { name: "odd" }], gaps: [] });
});

test("an example is sent without what only the server gives", () => {
  const schema = {
    allOf: [
      object({
        id: { ...integer, readOnly: true },
        tags: { type: "array", items: object({ at: { ...text, readOnly: true } }) },
      }),
    ],
  };
  const example = { id: 7, tags: [{ at: "now", name: "a" }], more: 1 };
  expect(suggestText(schema, { example })).toBe('{"tags": [{"name": "a"}],"more": 1}');
});

test("fields of a form have placeholders as JSON has", () => {
  const schema = object({ customerId: integer, owner: object({ accountId: integer }) });
  expect(suggest(schema, { mediaType: "application/x-www-form-urlencoded" }).body).toMatchObject({
    fields: [
      { name: "customerId", value: "{{customerId}}" },
      { name: "owner", value: '{"accountId":{{accountId}}}' },
    ],
  });
});

test("an XML body is written from its schema, with its placeholders", () => {
  const schema = {
    ...object({ id: { ...integer, xml: { attribute: true } }, title: text, authorId: integer, note: text }, [
      "title",
      "authorId",
    ]),
    xml: { name: "book" },
  };
  expect(suggest(schema, { mediaType: "application/xml" }).body).toEqual({
    kind: "text",
    mediaType: "application/xml",
    text: '<?xml version="1.0" encoding="UTF-8"?>\n<book>\n  <title>Book {{$uuid}}</title>\n  <authorId>{{authorId}}</authorId>\n</book>',
  });
});

const binary = { type: "string", format: "binary" };

test.each<[mediaType: string, schema: Schema | undefined, sent: string]>([
  ["image/png", binary, "image/png"],
  ["image/png", undefined, "image/png"],
  ["image/png", text, "image/png"],
  ["image/*", binary, "application/octet-stream"],
  ["application/octet-stream", {}, "application/octet-stream"],
  ["application/pdf", { $ref: "#/components/schemas/Scan" }, "application/pdf"],
  ["text/csv", binary, "text/csv"],
  ["*/*", { type: "file" }, "application/octet-stream"],
])("a body of type %s by %j is a file to choose", (mediaType, schema, sent) => {
  const content = [{ mediaType, examples: [], ...(schema ? { schema } : {}) }];
  const described = operationWith({ method: "put", requestBody: { required: true, description: "", content } });
  const components = { "#/components/schemas/Scan": binary };
  expect(suggestBody({ ...described, components }, "required")).toMatchObject({
    body: { kind: "none" },
    file: { mediaType: sent },
    gaps: [{ path: "request.body.file", message: `The body is a file of type ${mediaType}: choose one to send` }],
  });
});

test("an optional file is asked for only with all fields", () => {
  const optional = { mediaType: "image/png", required: false };
  expect(suggest(binary, optional)).toEqual({ body: { kind: "none" }, gaps: [], values: [], leftOut: 1 });
  expect(suggest(binary, { ...optional, wanted: "all" }).file).toEqual({ mediaType: "image/png" });
});

test.each<[mediaType: string, schema: Schema, example?: unknown]>([
  ["application/json", binary, "a"],
  ["text/plain", text],
  ["image/svg+xml", text],
  ["application/octet-stream", text, "device=7"],
  ["application/pdf", { type: "string", contentEncoding: "base64" }],
])("a body of type %s by %j is no file", (mediaType, schema, example) => {
  expect(suggest(schema, { mediaType, example }).file).toBeUndefined();
});
