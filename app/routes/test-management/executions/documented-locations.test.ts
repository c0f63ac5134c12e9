import { expect, test } from "vitest";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import { getDocumentedLocations } from "./documented-locations";

const price = { type: "object", properties: { amount: { type: "number" } } };
const list = { type: "array", items: { $ref: "#/components/schemas/Price" }, maxItems: 1 };
const documented = {
  operation: { responses: [{ status: "200", content: [{ mediaType: "application/json", schema: list }] }] },
  components: { "#/components/schemas/Price": price },
} as unknown as Pick<OperationWithComponents, "operation" | "components">;

function failed(...schemaErrors: NonNullable<Verification["schemaErrors"]>): Verification {
  return {
    ...{ kind: "check", source: "response_schema_conformance", outcome: "failed", passed: false, message: "" },
    ...{ schema: list, schemaErrors },
  };
}

const inComponent = {
  pointer: "/0/amount",
  schemaPointer: "#/components/schemas/Price/properties/amount/type",
  message: '$[0].amount: expected a number, found "1" (a string).',
};
const inResponse = {
  pointer: "",
  schemaPointer: "#/paths/~1prices/get/responses/200/content/application~1json/schema/maxItems",
  message: "$: expected at most 1 item, found 2 items.",
};

test("a reference is followed to the schema with the failed keyword, and to its location in the reference pages", () => {
  expect(getDocumentedLocations(failed(inComponent), documented)).toEqual([
    {
      ...{ name: "Price", location: "/components/#~1components~1schemas~1Price", schema: price },
      highlights: [
        {
          pointer: "/properties/amount/type",
          tone: "danger",
          note: 'expected a number, found "1" (a string).',
        },
      ],
    },
  ]);
});

test("several errors of one schema are marked in it together, and a duplicate once", () => {
  const other = { ...inComponent, pointer: "/1/amount", message: "$[1].amount: expected a number, found null." };
  const [one, ...none] = getDocumentedLocations(failed(inComponent, inComponent, other), documented);
  expect(one!.highlights).toHaveLength(2);
  expect(none).toEqual([]);
});

test("an inline schema is found in the response", () => {
  expect(getDocumentedLocations(failed(inResponse), documented)).toMatchObject([
    {
      ...{ name: undefined, location: "/operation/responses/0/content/0/schema", schema: list },
      highlights: [{ pointer: "/maxItems" }],
    },
  ]);
});

test("without the document the stored schema is marked as a whole, and a given schema at the failed keyword", () => {
  expect(getDocumentedLocations(failed(inComponent), undefined)).toMatchObject([
    { location: undefined, schema: list, highlights: [{ pointer: "" }] },
  ]);
  expect(getDocumentedLocations(failed({ ...inResponse, schemaPointer: "#/maxItems" }), undefined)).toMatchObject([
    { location: undefined, highlights: [{ pointer: "/maxItems" }] },
  ]);
});
