import { expect, test } from "vitest";
import type { Json } from "../../json/json.ts";
import { judge, meets, type Schema } from "../testing/judged-schema.ts";

const pet = "#/components/schemas/Pet";

test("a discriminator selects the heir that judges a value", () => {
  const components = {
    [pet]: {
      type: "object",
      required: ["kind"],
      properties: { kind: { type: "string" } },
      discriminator: { propertyName: "kind", mapping: { kitty: "#/components/schemas/Cat" } },
    },
    "#/components/schemas/Cat": { allOf: [{ $ref: pet }, { required: ["lives"] }] },
    "#/components/schemas/Lion": { allOf: [{ $ref: "#/components/schemas/Cat" }, { required: ["mane"] }] },
  };
  const value = (kind: string, more = {}) => meets("3.0", { $ref: pet }, { kind, ...more }, components);
  expect(value("kitty")).toBe(false);
  expect(value("kitty", { lives: 9 })).toBe(true);
  expect(value("Lion", { lives: 9 })).toBe(false);
  expect(value("Lion", { lives: 9, mane: true })).toBe(true);
  expect(value("Unknown")).toBe(true);
});

const kinds = {
  "#/components/schemas/Cat": {
    type: "object",
    required: ["kind"],
    properties: { kind: { type: "string" }, lives: { type: "integer" } },
  },
  "#/components/schemas/Dog": {
    type: "object",
    required: ["kind"],
    properties: { kind: { type: "string" }, tail: { type: "boolean" } },
  },
};
const [cat, dog] = Object.keys(kinds).map(($ref) => ({ $ref }));
const discriminated = (more: Schema = {}) => ({
  oneOf: [cat, dog],
  discriminator: { propertyName: "kind", mapping: { kitty: "#/components/schemas/Cat" }, ...more },
});

test.each<[string, Json, Schema, boolean]>([
  ["a name selects", { kind: "Dog", tail: true }, {}, true],
  ["the selected one judges", { kind: "Dog", tail: "yes" }, {}, false],
  ["the mapping selects", { kind: "kitty", lives: "nine" }, {}, false],
  ["others that match do not count", { kind: "kitty", lives: 9 }, {}, true],
  ["an unknown value is an error", { kind: "bird" }, {}, false],
  ["a missing one is an error", { lives: 9 }, {}, false],
  ["3.2 has one for the others", { kind: "bird", tail: true }, { defaultMapping: "Dog" }, true],
  ["the one for the others judges", { kind: "bird", tail: 1 }, { defaultMapping: "Dog" }, false],
])("the discriminator of oneOf: %s", (_, value, more, passes) => {
  expect(meets("3.1", discriminated(more), value, kinds)).toBe(passes);
});

test("an unknown value of a discriminator is reported with the known ones", () => {
  expect(judge("3.0", discriminated(), { kind: "bird" }, kinds).faults).toMatchObject([
    {
      pointer: "/kind",
      schemaPointer: "#/schema/discriminator/enum",
      message: '$.kind: expected one of "Cat", "Dog", "kitty", found "bird" (a string).',
    },
  ]);
});

test("a discriminator selects in anyOf and beside null, and not among alternatives without names", () => {
  const nullable = { anyOf: [cat, dog, { type: "null" }], discriminator: { propertyName: "kind" } };
  expect(meets("3.1", nullable, null, kinds)).toBe(true);
  expect(meets("3.1", nullable, { kind: "Dog", tail: 1, lives: 1 }, kinds)).toBe(false);
  const unnamed = { oneOf: [cat, { type: "object", required: ["wings"] }], discriminator: { propertyName: "kind" } };
  expect(meets("3.1", unnamed, { wings: 2 }, kinds)).toBe(true);
});
