import { expect, test } from "vitest";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { requestBodyField } from "./request-body.ts";
import { readRequest, requestFields } from "./request-values.ts";

const parameter = {
  required: false,
  deprecated: false,
  description: "",
  style: "form",
  explode: true,
  allowReserved: false,
  examples: [],
} as const;

const result = {
  components: { "#/components/schemas/Ids": { type: "array", items: { type: "integer" } } },
  operation: {
    parameters: [
      {
        ...parameter,
        name: "petId",
        in: "path",
        style: "simple",
        required: true,
        sample: 7,
        schema: { type: "integer" },
      },
      { ...parameter, name: "ids", in: "query", sample: [1, 2], schema: { $ref: "#/components/schemas/Ids" } },
      { ...parameter, name: "filter", in: "query", style: "deepObject", schema: { type: "object" } },
      { ...parameter, name: "X-Trace", in: "header", style: "simple", required: true },
    ],
    requestBody: {
      required: true,
      description: "",
      content: [
        { mediaType: "application/xml", examples: [] },
        { mediaType: "application/json", examples: [], sample: { a: 1 } },
        {
          mediaType: "multipart/form-data",
          examples: [],
          sample: { photo: "x", title: "y" },
          schema: {
            properties: { photo: { format: "binary" } },
          },
        },
      ],
    },
    security: [[{ schemeName: "key", scopes: [] }]],
  },
} as unknown as OperationWithComponents;

function form(values: Record<string, string>): FormData {
  const sent = new FormData();
  for (const [name, value] of Object.entries(values)) sent.set(name, value);
  return sent;
}
const filled = { "path.petId": "7", "header.X-Trace": "t", body: '{"a":1}', mediaType: "application/json" };

test("required fields are filled with a valid value, others show one", () => {
  expect(requestFields(result).map(({ name, value, placeholder }) => [name, value, placeholder])).toEqual([
    ["path.petId", "7", ""],
    ["query.ids", "", "1,2"],
    ["query.filter", "", ""],
    ["header.X-Trace", "", ""],
  ]);
  expect(requestBodyField(result)).toMatchObject({ mediaType: "application/json", text: '{\n  "a": 1\n}' });
});

test("input becomes rows that are sent in the style of their parameter", () => {
  const { request, errors: faults } = readRequest(
    result,
    form({ ...filled, "query.ids": "1, 2", "query.filter": '{"age":3}', authorization: "none" }),
  );
  expect(faults).toEqual([]);
  expect(request.query.map(({ name, value }) => [name, value])).toEqual([
    ["ids", "1"],
    ["ids", "2"],
    ["filter", '{"age":3}'],
  ]);
  expect(request).toMatchObject({
    pathParameters: [{ name: "petId", value: "7" }],
    headers: [{ name: "X-Trace", value: "t" }],
    body: { kind: "json", text: '{"a":1}', mediaType: "application/json" },
    authorization: { kind: "none" },
  });
});

test("numbers in a typed object or list keep their digits", () => {
  const { request } = readRequest(
    result,
    form({ ...filled, "query.ids": "[9007199254740993, 1.0]", "query.filter": '{"age":9007199254740993}' }),
  );
  expect(request.query.map(({ value }) => value)).toEqual(["9007199254740993", "1.0", '{"age":9007199254740993}']);
});

test("missing and invalid input is reported at its field", () => {
  const { errors: faults } = readRequest(result, form({ "query.filter": "age=3", "query.ids": "[1" }));
  expect(faults.map(({ field }) => field)).toEqual([
    "path.petId",
    "query.ids",
    "query.filter",
    "header.X-Trace",
    "body",
  ]);
});

test("files of a multipart form are sent as files, and JSON keeps the digits as typed", () => {
  const multipart = form({ ...filled, mediaType: "multipart/form-data", body: "photo=abc\r\ntitle=Me = you" });
  expect(readRequest(result, multipart).request.body).toEqual({
    kind: "multipart",
    parts: [
      { name: "photo", value: "abc", enabled: true, fileName: "photo.bin" },
      { name: "title", value: "Me = you", enabled: true },
    ],
  });
  const digits = readRequest(result, form({ ...filled, body: "12345678901234567890.10" })).request.body;
  expect(digits).toMatchObject({ text: "12345678901234567890.10" });
});

test("a credential is bound to the scheme it was offered for, and only to one of the operation", () => {
  const id = "01a1fc40-40c4-74d9-b82f-613740723aca";
  const bindings = (authorization: string) =>
    readRequest(result, form({ ...filled, authorization })).request.authorization;
  expect(bindings(`${id} key`)).toEqual({ kind: "credentials", bindings: [{ schemeName: "key", credentialId: id }] });
  expect(bindings(`${id} other`)).toEqual({ kind: "credentials", bindings: [{ schemeName: "", credentialId: id }] });
  expect(bindings("anything")).toEqual({ kind: "inherit" });
});
