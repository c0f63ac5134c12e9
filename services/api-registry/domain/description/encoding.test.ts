import { expect, test } from "vitest";
import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import { readDocument } from "../../testing/reading.ts";

test("encodings are described by name and by position, the references of their headers resolved", async () => {
  const responses = { 200: { description: "ok" } };
  const headers = { "X-Rotate": { $ref: "#/components/headers/Rotate" } };
  const content = {
    "multipart/form-data": {
      schema: { type: "object", properties: { photo: {} } },
      encoding: { photo: { contentType: "image/png", headers } },
    },
    "multipart/mixed": {
      schema: { type: "array" },
      prefixEncoding: [{ contentType: "application/json" }],
      itemEncoding: { headers },
    },
  };
  const document = {
    ...{ openapi: "3.2.0", info: { title: "A", version: "1" } },
    paths: { "/a": { post: { requestBody: { content }, responses } } },
    components: {
      headers: { Rotate: { required: true, example: 90, schema: { $ref: "#/components/schemas/Degrees" } } },
      schemas: { Degrees: { type: "integer" } },
    },
  };
  const { operations } = await readDocument({ document: JSON.stringify(document), fileName: "api.json" });
  const { requestBody } = JSON.parse(operations[0]!.described) as DescribedOperation;
  const rotate = { "X-Rotate": { required: true, example: 90, schema: { $ref: "#/components/schemas/Degrees" } } };
  expect(requestBody!.content).toMatchObject([
    { mediaType: "multipart/form-data", encoding: { photo: { contentType: "image/png", headers: rotate } } },
    {
      ...{ mediaType: "multipart/mixed", prefixEncoding: [{ contentType: "application/json" }] },
      itemEncoding: { headers: rotate },
    },
  ]);
});
