import { expect, test } from "vitest";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { typedSamples } from "./typed-samples.ts";

const plain = { deprecated: false, description: "", explode: true, allowReserved: false, examples: [] };

const result = {
  components: {},
  securitySchemes: [{ name: "key", type: "http", scheme: "bearer" }],
  operation: {
    method: "put",
    path: "/books/{bookId}",
    parameters: [
      { ...plain, name: "bookId", in: "path", style: "simple", required: true, sample: 7, schema: { type: "integer" } },
      { ...plain, name: "tags", in: "query", style: "form", required: false, sample: ["x"], schema: { type: "array" } },
      { ...plain, name: "X-Trace", in: "header", style: "simple", required: true, sample: "t" },
    ],
    requestBody: {
      required: true,
      description: "",
      content: [
        { mediaType: "application/json", examples: [], sample: { title: "Emma" } },
        { mediaType: "application/x-www-form-urlencoded", examples: [] },
        { mediaType: "text/csv", examples: [] },
      ],
    },
    security: [[{ schemeName: "key", scopes: [] }]],
  },
} as unknown as OperationWithComponents;

function curl(values: Record<string, string>): string {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return typedSamples(result, form).find(({ language }) => language === "curl")!.code;
}

const filled = {
  baseUrl: "https://staging.test/v2",
  authorization: "inherit",
  "path.bookId": "4711",
  "query.tags": "a,b c",
  "header.X-Trace": "on",
  mediaType: "application/json",
  body: '{"title":"Dune"}',
};

test("code contains the input: address, parameters, headers and body", () => {
  const code = curl(filled);
  expect(code).toContain("'https://staging.test/v2/books/4711?tags=a&tags=b%20c'");
  expect(code).toContain("-H 'X-Trace: on'");
  expect(code).toContain("Authorization: Bearer YOUR_TOKEN");
  expect(code).toContain('"title":"Dune"');
  expect(curl({ ...filled, authorization: "none" })).not.toContain("Authorization");
});

test("empty fields are left out, or are placeholders where they are required", () => {
  const code = curl({ ...filled, baseUrl: "", "path.bookId": "", "query.tags": "", "header.X-Trace": "" });
  expect(code).toContain("https://YOUR_HOST/books/YOUR_BOOK_ID'");
  expect(code).toContain("X-Trace: YOUR_X_TRACE");
});

test("a body goes into the code by its media type, and unchanged while it is not valid JSON", () => {
  expect(curl({ ...filled, body: '{"title": "Du' })).toContain(`--data-raw '{"title": "Du'`);
  const form = curl({ ...filled, mediaType: "application/x-www-form-urlencoded", body: "a=1\nb=x y" });
  expect(form).toContain("--data-raw 'a=1&b=x+y'");
  const csv = curl({ ...filled, mediaType: "text/csv", body: "a;b" });
  expect(csv).toContain("-H 'Content-Type: text/csv'");
  expect(csv).toContain("--data-raw 'a;b'");
  expect(curl({ ...filled, body: "" })).not.toContain("--data");
});
