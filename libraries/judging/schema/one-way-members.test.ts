import { expect, test } from "vitest";
import { judge, meets } from "../testing/judged-schema.ts";

test("in responses a member that only requests have is not required", () => {
  const schema = {
    type: "object",
    required: ["id", "password", "secret"],
    properties: {
      id: { type: "integer", readOnly: true },
      password: { type: "string", writeOnly: true },
      secret: { $ref: "#/components/schemas/Secret" },
    },
  };
  const components = { "#/components/schemas/Secret": { type: "string", writeOnly: true } };
  expect(meets("3.0", schema, { id: 1 }, components)).toBe(true);
  expect(meets("3.1", schema, { id: 1 }, components)).toBe(true);
  expect(meets("3.0", schema, {}, components)).toBe(false);
});

test("a write-only member in a response is an error, also in a component and an item", () => {
  const components = { "#/components/schemas/Secret": { type: "string", writeOnly: true } };
  const schema = {
    type: "array",
    items: {
      type: "object",
      properties: { password: { type: "string", writeOnly: true }, key: { $ref: "#/components/schemas/Secret" } },
    },
  };
  expect(meets("3.0", schema, [{}], components)).toBe(true);
  const { faults } = judge("3.0", schema, [{ password: "a", key: "b" }], components);
  expect(faults.map(({ message }) => message)).toEqual([
    "$[0].password: the member is write-only, so a response must not have it.",
    "$[0].key: the member is write-only, so a response must not have it.",
  ]);
  expect(faults[0]?.schemaPointer).toContain("#/schema/items/properties/password");
});

test("a member that a part of allOf marks as write-only is neither required nor allowed in a response", () => {
  const password = { allOf: [{ type: "string" }, { writeOnly: true }] };
  const schema = { type: "object", required: ["password"], properties: { password } };
  expect(meets("3.1", schema, {})).toBe(true);
  expect(meets("3.1", schema, { password: "a" })).toBe(false);
});
