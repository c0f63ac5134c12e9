import { expect, test } from "vitest";
import type { Direction } from "./sample-source.ts";
import { makeSample } from "./sampler.ts";

type Schema = Record<string, unknown>;
const id = { type: "integer", readOnly: true };
const text = { type: "string" };
const components: Record<string, Schema> = {
  Identifier: id,
  Own: { type: "object", properties: { id: { $ref: "Identifier" }, name: text } },
  Heir: { allOf: [{ $ref: "Own" }, { properties: { made: { allOf: [{ type: "string" }, { readOnly: true }] } } }] },
};
const source = { find: (reference: string) => components[reference] };
const example = { id: 7, made: "2026-01-01", name: "Rex" };

function make(schema: Schema, direction: Direction = "request"): string {
  return JSON.stringify(makeSample(schema, direction, source)?.value);
}

const hiding: [called: string, schema: Schema][] = [
  ["in a component", { $ref: "Own" }],
  ["in a part of allOf, marked by a part of its own", { $ref: "Heir" }],
  ["in an item", { type: "array", items: { $ref: "Heir" }, minItems: 1 }],
  ["in a member", { type: "object", properties: { pet: { $ref: "Heir" } }, required: ["pet"] }],
  ["in an alternative", { oneOf: [{ $ref: "Own" }, { type: "object", properties: { made: id } }] }],
  ["in further members", { type: "object", additionalProperties: { $ref: "Heir" }, minProperties: 1 }],
  ["in an example", { $ref: "Heir", example }],
  ["in the example of a list", { type: "array", items: { $ref: "Heir" }, example: [example] }],
  [
    "in the example of what is around it",
    { type: "object", properties: { pet: { $ref: "Heir" } }, example: { pet: example } },
  ],
  ["in a default", { type: "object", properties: { pet: { $ref: "Heir" } }, default: { pet: example } }],
  [
    "in the example of further members",
    { type: "object", additionalProperties: { $ref: "Heir" }, example: { rex: example } },
  ],
  ["in the example of an item by position", { type: "array", prefixItems: [{ $ref: "Heir" }], example: [example] }],
  ["in the example of an alternative", { anyOf: [{ $ref: "Heir" }], example }],
];

test.each(hiding)("a request's sample has no read-only member %s", (_, schema) => {
  expect(make(schema)).toContain("name");
  expect(make(schema)).not.toMatch(/"(id|made)"/);
});

test("a response's sample has read-only members and no write-only ones", () => {
  expect(make({ $ref: "Heir" }, "response")).toMatch(/"made".*"id"/);
  const password = { allOf: [{ type: "string", writeOnly: true }] };
  expect(make({ type: "object", properties: { password, name: text } }, "response")).toBe('{"name":"string"}');
});
