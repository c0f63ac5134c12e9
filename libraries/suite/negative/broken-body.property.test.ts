import { setImmediate } from "node:timers/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { expect, test } from "vitest";
import { makeSample } from "#libraries/openapi/sample/sampler.ts";
import { repetitions } from "../../../tests/support/endurance.ts";
import { listBrokenBodies } from "./broken-body.ts";
import { listBrokenPlaces } from "./testing/broken-places.ts";

const optional = (keywords: Record<string, fc.Arbitrary<unknown>>) => fc.record(keywords, { requiredKeys: [] });
const small = fc.integer({ min: 0, max: 4 });
const names = fc.constantFrom("title", "pages", "state", "tags", "author");
const format = fc.constantFrom("uuid", "date", "date-time", "email", "uri", "ipv4", "ipv6", "hostname", "password");
const pattern = fc.constantFrom("^[a-z]{2,4}$", "^\\d+$", "x", "^[^a-z]*$");
const bounds = fc.integer({ min: -20, max: 20 });

const { schema } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    optional({ minLength: small, maxLength: fc.integer({ min: 4, max: 40 }), pattern, format }).map((keywords) => ({
      type: "string",
      ...keywords,
    })),
    fc
      .tuple(
        fc.constantFrom("integer", "number", ["integer", "null"]),
        optional({
          ...{ minimum: bounds, maximum: bounds, exclusiveMinimum: bounds, exclusiveMaximum: bounds },
          ...{ multipleOf: fc.constantFrom(1, 2, 5, 0.5), format: fc.constantFrom("int32", "int64", "double") },
        }),
      )
      .map(([type, keywords]) => ({ type, ...keywords })),
    fc.constantFrom({ type: "boolean" }, {}, { const: "a" }, { enum: ["a", "b", null] }, { enum: [1, 2] }),
    fc.constantFrom({ type: "string", enum: ["open", "closed"] }, { anyOf: [{ type: "string" }, { type: "null" }] }),
    optional({ minItems: small, maxItems: small, uniqueItems: fc.boolean(), items: tie("schema") }).map((keywords) => ({
      type: "array",
      ...keywords,
    })),
    optional({
      properties: fc.dictionary(names, tie("schema")),
      required: fc.uniqueArray(names),
      additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
      minProperties: small,
      maxProperties: small,
    }).map((keywords) => ({ type: "object", ...keywords })),
    fc
      .tuple(fc.constantFrom("oneOf", "anyOf", "allOf"), fc.array(tie("schema"), { minLength: 1, maxLength: 3 }))
      .map(([keyword, list]) => ({ [keyword]: list })),
    fc.tuple(tie("schema"), tie("schema")).map(([one, not]) => ({ allOf: [one], not })),
  ),
}));

const root = fc
  .tuple(fc.dictionary(names, schema, { minKeys: 1 }), fc.uniqueArray(names), fc.boolean())
  .map(([properties, required, isClosed]) => ({
    ...{ type: "object", properties, required: required.filter((name) => Object.hasOwn(properties, name)) },
    ...(isClosed ? { additionalProperties: false } : {}),
  }));

const source = { find: () => undefined };

test("each row breaks exactly one rule, says an independent validator, and its valid body breaks none", async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(root, async (whole) => {
      // Yields to the worker's heartbeat to the test runner.
      await setImmediate();
      const made = makeSample(whole, "request", source);
      if (!made || made.invented.some(({ isMissing }) => isMissing)) return;
      const ajv = addFormats.default(
        new Ajv2020({ strict: false, allErrors: true, logger: false, unicodeRegExp: false }),
      );
      const validate = ajv.compile(whole);
      for (const rule of listBrokenBodies(whole, made.value, source)) {
        expect(listBrokenPlaces(validate, made.value)).toEqual([]);
        const places = listBrokenPlaces(validate, JSON.parse(rule.text!));
        expect(places, `${rule.name}: ${rule.text}`).toHaveLength(1);
        const keyword = places[0]!.split(" ").at(-1)!;
        seen.set(keyword, (seen.get(keyword) ?? 0) + 1);
      }
    }),
    { numRuns: repetitions(250, 20_000) },
  );
  const usual = ["type", "required", "enum", "const", "minimum", "maximum", "minLength", "maxLength", "pattern"];
  expect([...seen.keys()]).toEqual(
    expect.arrayContaining([...usual, "format", "minItems", "maxItems", "multipleOf", "additionalProperties"]),
  );
});
