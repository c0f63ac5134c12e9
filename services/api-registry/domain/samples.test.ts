import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { makeSample } from "#libraries/openapi/sample/sampler.ts";
import { repetitions } from "../../../tests/support/endurance.ts";
import { compileDocumented } from "../testing/document-validator.ts";
import { fixturesIn } from "../testing/fixtures.ts";
import { readDocument } from "../testing/reading.ts";

for (const fixture of fixturesIn("valid")) {
  test(`every generated sample of ${fixture.name} is valid against its schema`, async () => {
    const { operations, components, dependencySets, inspection } = await readDocument(fixture);
    const isModern = inspection.specificationVersion === "3.1";
    const problems: string[] = [];
    // Compiling a schema of hundreds of components takes a second; a sample of a large document is enough.
    const step = Math.ceil(operations.length / repetitions(8, 40));
    for (const row of operations.filter((_, index) => index % step === 0)) {
      // Yields to the worker's heartbeat to the test runner.
      await setImmediate();
      const described = JSON.parse(row.described) as OperationWithComponents["operation"];
      const reached = Object.fromEntries(
        dependencySets[row.dependencySet]!.ordinals.map((ordinal) => [
          components[ordinal]!.reference,
          JSON.parse(components[ordinal]!.body),
        ]),
      );
      const parts = [
        ...described.parameters.map((part) => ({ ...part, hidden: "readOnly" })),
        ...(described.requestBody?.content ?? []).map((part) => ({ ...part, hidden: "readOnly" })),
        ...described.responses.flatMap(({ content }) => content.map((part) => ({ ...part, hidden: "writeOnly" }))),
      ];
      for (const { schema, sample, examples, hidden } of parts) {
        if (schema === undefined || examples.length > 0) continue;
        if (sample === undefined) {
          problems.push(`${row.method} ${row.path}: no sample for ${JSON.stringify(schema).slice(0, 200)}`);
          continue;
        }
        const validate = compileDocumented(schema, reached, { isModern, hidden });
        if (!validate(sample)) {
          const errors = (validate.errors ?? [])
            .slice(0, 3)
            .map(({ instancePath, message }) => `${instancePath} ${message}`);
          problems.push(`${row.method} ${row.path}: ${JSON.stringify(sample).slice(0, 300)}: ${errors.join("; ")}`);
        }
      }
    }
    expect(problems).toEqual([]);
  });
}

const noComponents = { find: () => undefined };
const made: [name: string, schema: object, value: unknown][] = [
  ["a documented example first", { type: "string", example: "rex" }, "rex"],
  ["a default before an enumeration", { type: "string", default: "b", enum: ["a", "b"] }, "b"],
  ["the first of an enumeration", { enum: [null, "a"] }, "a"],
  ["no example of another type", { type: "integer", example: "12" }, 1],
  ["a number above an exclusive minimum of draft 4", { type: "integer", minimum: 5, exclusiveMinimum: true }, 6],
  ["a number above an exclusive minimum of 2020-12", { type: "number", exclusiveMinimum: 5 }, 6],
  ["a number between close bounds", { type: "number", minimum: 0.25, maximum: 0.5 }, 0.25],
  ["a multiple within bounds", { type: "number", multipleOf: 0.25, minimum: 0.3, maximum: 0.6 }, 0.5],
  ["a text long enough", { type: "string", minLength: 8 }, "stringst"],
  ["a text short enough", { type: "string", maxLength: 3 }, "str"],
  ["a text for a pattern", { type: "string", pattern: "^[A-Z]{3}-\\d{2,4}$" }, "AAA-11"],
  [
    "as many different items as wanted",
    { type: "array", items: { enum: ["a", "b"] }, minItems: 2, uniqueItems: true },
    ["a", "b"],
  ],
  [
    "both parts of a combination",
    { allOf: [{ properties: { a: { type: "integer" } } }, { properties: { b: { type: "boolean" } } }] },
    { a: 1, b: true },
  ],
  [
    "the first alternative that is possible",
    { oneOf: [{ type: "null" }, { type: "string", minLength: 9e9 }, { type: "boolean" }] },
    true,
  ],
  [
    "nothing that is read-only in a request",
    { type: "object", required: ["id"], properties: { id: { readOnly: true }, name: { type: "string" } } },
    { name: "string" },
  ],
];
for (const [name, schema, value] of made) {
  test(`a sample is generated with ${name}`, () => {
    expect(makeSample(schema, "request", noComponents)?.value).toEqual(value);
  });
}

test("a sample has members inherited along several paths, however many", () => {
  const schemas = new Map<string, object>([
    ["#/20", { type: "object", required: ["last"], properties: { last: { type: "integer" } } }],
  ]);
  for (let level = 0; level < 20; level++) {
    const next = { $ref: `#/${level + 1}` };
    schemas.set(`#/${level}`, { allOf: [next, next] });
  }
  const source = { find: (reference: string) => schemas.get(reference) };
  expect(makeSample({ $ref: "#/0" }, "request", source)?.value).toEqual({ last: 1 });
});

test("start and end times are in the future, the end after the start; other times are unchanged", () => {
  const at = { type: "string", format: "date-time" };
  const on = { type: "string", format: "date" };
  const schema = {
    type: "object",
    properties: { startsAt: at, ends_at: at, validFrom: on, "valid-to": on, birthday: on, endpoint: at, friend: on },
  };
  expect(makeSample(schema, "request", { find: () => undefined })?.value).toEqual({
    startsAt: "2099-01-15T09:30:00Z",
    ends_at: "2099-01-16T09:30:00Z",
    validFrom: "2099-01-15",
    "valid-to": "2099-01-16",
    birthday: "2026-01-15",
    endpoint: "2026-01-15T09:30:00Z",
    friend: "2026-01-15",
  });
});
