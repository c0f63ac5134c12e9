import { expect, test } from "vitest";
import { hasDocumentedValue } from "./documented-value.ts";

const given = (schema: unknown, components = {}) => hasDocumentedValue({ schema, examples: [] }, components);

test("a document provides a value by example, default, enumeration or constant, also behind references", () => {
  expect(hasDocumentedValue({ schema: { type: "string" }, examples: [{}] }, {})).toBe(true);
  for (const schema of [{ example: 1 }, { default: 0 }, { enum: ["a"] }, { const: "a" }, { examples: ["a"] }]) {
    expect(given({ type: "string", ...schema }), JSON.stringify(schema)).toBe(true);
  }
  const components = { "#/components/schemas/State": { type: "string", enum: ["open"] } };
  const state = { $ref: "#/components/schemas/State" };
  expect([given(state, components), given(state)]).toEqual([true, false]);
  expect(given({ allOf: [{ type: "string" }, state] }, components)).toBe(true);
  expect(given({ type: "array", items: state }, components)).toBe(true);
});

test("both values of a boolean are known; a type, format or bound alone provides none", () => {
  expect(given({ type: "boolean" })).toBe(true);
  for (const schema of [{ type: "string", format: "uuid" }, { type: "integer", minimum: 1 }, {}, undefined]) {
    expect(given(schema), JSON.stringify(schema)).toBe(false);
  }
});

test("recursive schemas provide the values that they contain, and terminate", () => {
  const node = { anyOf: [{ $ref: "#/node" }, { items: { $ref: "#/node" } }] };
  expect(given({ $ref: "#/node" }, { "#/node": node })).toBe(false);
});
