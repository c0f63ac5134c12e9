import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { expect, test } from "vitest";
import { repetitions } from "../../../tests/support/endurance.ts";
import { makeSample } from "./sampler.ts";

const small = fc.integer({ min: 0, max: 5 });
const optional = (keywords: Record<string, fc.Arbitrary<unknown>>) => fc.record(keywords, { requiredKeys: [] });
const scalar = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom("string", "a", "b", true, null));
const pattern = fc.constantFrom("^[a-z]{2,4}$", "^\\d+$", "x", "^[^a-z]*$");
const format = fc.constantFrom(
  "email",
  "date",
  "date-time",
  "uuid",
  "uri",
  "ipv4",
  "ipv6",
  "hostname",
  "byte",
  "regex",
);

const text = optional({ minLength: small, maxLength: fc.integer({ min: 0, max: 40 }), pattern, format });
const bound = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const number = optional({
  ...{ minimum: bound, maximum: bound, exclusiveMinimum: bound, exclusiveMaximum: bound },
  multipleOf: fc.constantFrom(1, 2, 0.1, 0.25, 7),
});
const names = fc.constantFrom("a", "b", "c");

const { schema } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    text.map((keywords) => ({ type: "string", ...keywords })),
    fc.tuple(fc.constantFrom("integer", "number"), number).map(([type, keywords]) => ({ type, ...keywords })),
    fc.constantFrom({ type: "boolean" }, { type: "null" }, {}, { type: ["string", "null"] }),
    scalar.map((value) => ({ const: value })),
    fc.tuple(fc.uniqueArray(scalar, { minLength: 1 }), tie("schema")).map(([list, not]) => ({ enum: list, not })),
    fc.tuple(tie("schema"), tie("schema")).map(([one, not]) => ({ allOf: [one], not })),
    optional({
      ...{ minItems: small, maxItems: small, uniqueItems: fc.boolean(), items: tie("schema") },
      ...{ contains: tie("schema"), minContains: small, maxContains: small },
      prefixItems: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
    }).map((keywords) => ({ type: "array", ...keywords })),
    optional({
      properties: fc.dictionary(names, tie("schema")),
      required: fc.uniqueArray(names),
      additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
      patternProperties: fc.dictionary(fc.constantFrom("^a", "^[b-d]$"), tie("schema"), { maxKeys: 1 }),
      propertyNames: text,
      ...{ minProperties: small, maxProperties: small },
      dependentRequired: fc.dictionary(names, fc.uniqueArray(names), { maxKeys: 2 }),
    }).map((keywords) => ({ type: "object", ...keywords })),
    fc
      .tuple(fc.constantFrom("oneOf", "anyOf", "allOf"), fc.array(tie("schema"), { minLength: 1, maxLength: 3 }))
      .map(([keyword, list]) => ({ [keyword]: list })),
    fc.tuple(tie("schema"), tie("schema"), tie("schema"), tie("schema")).map(([base, condition, one, other]) => {
      return {
        allOf: [base],
        if: condition,
        ...Object.fromEntries([
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
          ["then", one],
          ["else", other],
        ]),
      };
    }),
  ),
}));

function isValid(made: NonNullable<ReturnType<typeof makeSample>>, whole: object): string | undefined {
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true, logger: false, unicodeRegExp: false }));
  const validate = ajv.compile(whole);
  if (validate(made.value)) return undefined;
  return ajv.errorsText(validate.errors);
}

test("what is offered is valid by its schema, or names the members that have to be given", () => {
  fc.assert(
    fc.property(schema, (whole) => {
      const made = makeSample(whole, "request", { find: () => undefined });
      if (!made || made.invented.some(({ isMissing }) => isMissing)) return;
      const faults = isValid(made, whole);
      if (faults?.includes("exactly one schema")) return;
      expect(faults, JSON.stringify(made.value)).toBeUndefined();
    }),
    { numRuns: repetitions(300, 20_000) },
  );
});
