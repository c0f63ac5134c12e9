import { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryOf } from "./arbitraries.ts";
import { listBoundaries } from "./boundaries.ts";
import { shrink } from "./shrinking.ts";

const ajv = new Ajv2020({ strict: false, formats: fullFormats });
const source = { find: () => undefined };

const bounded = (minimum: number, maximum: number) => fc.tuple(fc.integer({ min: minimum, max: maximum }), fc.nat(30));

const scalar = fc.oneof(
  bounded(0, 20).map(([minLength, more]) => ({ type: "string", minLength, maxLength: minLength + more })),
  fc.constantFrom("date", "date-time", "uuid", "email", "uri", "ipv4").map((format) => ({ type: "string", format })),
  fc.constantFrom("^[a-z]{2,5}$", "^#[0-9a-f]{6}$", "^\\d+-[A-Z]$").map((pattern) => ({ type: "string", pattern })),
  bounded(-50, 50).map(([minimum, more]) => ({ type: "integer", minimum, maximum: minimum + more })),
  bounded(-50, 50).map(([exclusiveMinimum, more]) => ({
    ...{ type: "number", exclusiveMinimum, exclusiveMaximum: exclusiveMinimum + more + 1 },
  })),
  bounded(1, 9).map(([multipleOf]) => ({ type: "integer", multipleOf, minimum: 0, maximum: 1_000 })),
  fc.constant({ type: ["string", "null"], maxLength: 5 }),
  fc.constant({ enum: ["a", 2, null] }),
  fc.constant({ type: "boolean" }),
);

/** Schemas as documents have them, in lists and objects, too. */
const schema = fc.oneof(
  scalar,
  fc
    .tuple(scalar, fc.nat(3), fc.nat(3))
    .map(([items, minItems, more]) => ({ type: "array", items, minItems, maxItems: minItems + more })),
  fc.tuple(scalar, scalar, fc.boolean()).map(([one, other, isRequired]) => ({
    ...{ type: "object", properties: { one, other }, required: isRequired ? ["one"] : [] },
    additionalProperties: false,
  })),
  fc.tuple(scalar, scalar).map(([one, other]) => ({ anyOf: [one, other] })),
);

test("generated values are valid by another validator", () => {
  fc.assert(
    fc.property(schema, fc.nat(), (given, seed) => {
      const arbitrary = arbitraryOf(given, source);
      if (!arbitrary) return;
      const validate = ajv.compile(given);
      for (const value of fc.sample(arbitrary, { seed, numRuns: 10 })) {
        expect(validate(value), `${JSON.stringify(value)} of ${JSON.stringify(given)}`).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});

test("boundary values are valid by another validator, and differ", () => {
  fc.assert(
    fc.property(schema, (given) => {
      const validate = ajv.compile(given);
      const values = listBoundaries(given, source).map(({ value }) => value);
      for (const value of values) {
        expect(validate(value), `${JSON.stringify(value)} of ${JSON.stringify(given)}`).toBe(true);
      }
      expect(new Set(values.map((value) => JSON.stringify(value))).size).toBe(values.length);
    }),
    { numRuns: 300 },
  );
});

test("a failing value is shrunk to the simplest that still fails", async () => {
  const numbers = fc.integer({ min: 0, max: 10_000 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 500 }), fc.nat(9_000), async (least, more) => {
      const fails = async (value: number) => value >= least;
      expect(await shrink(numbers, { value: least + more, context: undefined }, fails)).toBe(least);
    }),
  );
});
