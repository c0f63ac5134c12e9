import { expect, test } from "vitest";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { viewOperation } from "./operation-view.ts";

const pet = { $ref: "#/components/schemas/Pet" };
const json = (examples: { name: string; value: unknown }[] = []) => ({
  mediaType: "application/json",
  schema: pet,
  examples,
  sample: { owner: { name: "Ann" } },
});
const response = (status: string, content: unknown[]) => ({
  status,
  description: "ok",
  headers: [],
  content,
  links: [],
});

const result = {
  components: {
    "#/components/schemas/Pet": {
      type: "object",
      properties: { owner: { type: "object", properties: { name: { type: "string" } } } },
    },
  },
  securitySchemes: [{ name: "key", type: "apiKey", in: "header", parameterName: "X-Key" }],
  operation: {
    method: "post",
    path: "/pets",
    operationId: null,
    summary: "Add a pet",
    description: "Add a pet ",
    tags: [],
    deprecated: false,
    servers: [],
    parameters: [],
    requestBody: {
      required: true,
      description: "",
      content: [json(), { ...json(), mediaType: "application/xml" }],
    },
    responses: [
      response("200", [json()]),
      response("201", [json([{ name: "created", value: { owner: null } }])]),
      response("400", [json()]),
    ],
    security: [
      [
        { schemeName: "key", scopes: [] },
        { schemeName: "missing", scopes: ["a"] },
      ],
      [],
    ],
    callbacks: [],
  },
} as unknown as OperationWithComponents;

const view = viewOperation(result);
const getOwner = (index: number) => view.responses[index]?.contents[0]?.schema?.groups[0]?.entries[0]?.node;

test("media types of one schema are grouped, with an example only where it could be sent", () => {
  expect(view.body?.contents).toHaveLength(1);
  expect(view.body?.contents[0]).toMatchObject({ mediaTypes: ["application/json", "application/xml"] });
  expect(view.body?.contents[0]?.examples.map(({ label }) => label)).toEqual(["Example generated from the schema"]);
});

test("a schema that an earlier response has shown appears with its first level only", () => {
  expect(getOwner(0)?.groups).toHaveLength(1);
  expect(getOwner(1)).toMatchObject({ folded: "size", groups: [] });
});

test("a repeated schema shows only the document's own examples", () => {
  expect(view.responses.map(({ contents }) => contents[0]?.examples.map(({ label }) => label))).toEqual([
    ["Example generated from the schema"],
    ["created"],
    [],
  ]);
});

test("a description that repeats the summary is left out", () => {
  expect(view.descriptionHtml).toBe("");
});

test("authorization is described in words, even where the document does not describe it", () => {
  expect(view.security).toEqual([
    [
      { name: "key", words: "API key in the header X-Key", scopes: [] },
      { name: "missing", words: "not described in the document", scopes: ["a"] },
    ],
    [],
  ]);
});
