import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonRecord } from "../../json/json-value.ts";
import { ChangedComponents } from "./changed-components.ts";
import { type Change, Changes } from "./changes.ts";
import { SchemaComparer } from "./schema-comparer.ts";

/** Schemas of these names may be referred to; none refers to another. */
const names = ["Pet", "Owner"] as const;

function compare(
  before: unknown,
  after: unknown,
  direction: "request" | "response",
  components: { before: JsonRecord; after: JsonRecord },
): { changes: Change[]; hasOtherTexts: boolean } {
  const toTexts = (of: JsonRecord) => new Map(Object.entries(of).map(([key, schema]) => [key, JSON.stringify(schema)]));
  const sources = {
    before: { find: (reference: string) => components.before[reference] },
    after: { find: (reference: string) => components.after[reference] },
  };
  const texts = new ChangedComponents(toTexts(components.before), toTexts(components.after));
  const changes = new Changes(1_000);
  let hasOtherTexts = false;
  const noteTexts = () => {
    hasOtherTexts = true;
  };
  new SchemaComparer(sources, texts).compare(before, after, direction, "the body", { changes, noteTexts });
  return { changes: changes.finish().changes, hasOtherTexts };
}

const schemaArbitrary = (withReferences: boolean) =>
  fc.letrec<{ schema: JsonRecord; leaf: JsonRecord; object: JsonRecord }>((tie) => ({
    leaf: fc.oneof(
      fc.constantFrom<JsonRecord>({ type: "string" }, { type: "integer" }, { type: ["string", "null"] }, {}),
      fc.record({ type: fc.constant("string"), maxLength: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ type: fc.constant("integer"), minimum: fc.integer({ min: 0, max: 3 }) }),
      fc.record({ type: fc.constant("integer"), multipleOf: fc.integer({ min: 1, max: 4 }) }),
      fc.subarray(["a", "b", "ab", 1, 2], { minLength: 1 }).map((list) => ({ enum: list })),
    ),
    object: fc
      .record({
        properties: fc.dictionary(fc.constantFrom("a", "b", "c"), tie("schema"), { maxKeys: 3 }),
        required: fc.subarray(["a", "b"]),
        additionalProperties: fc.constantFrom(true, false, undefined),
      })
      .map(({ additionalProperties, ...rest }) => ({
        type: "object",
        ...rest,
        ...(additionalProperties === undefined ? {} : { additionalProperties }),
      })),
    schema: fc.oneof(
      { maxDepth: 2, depthSize: "small" },
      tie("leaf"),
      tie("object"),
      tie("schema").map((items) => ({ type: "array", items, maxItems: 2 })),
      fc.array(tie("schema"), { minLength: 2, maxLength: 3 }).map((anyOf) => ({ anyOf })),
      tie("schema").map((not) => ({ type: ["string", "integer"], not })),
      withReferences
        ? fc.constantFrom<JsonRecord>(...names.map((name) => ({ $ref: `#/components/schemas/${name}` })))
        : tie("leaf"),
    ),
  })).schema;

const componentsArbitrary = fc
  .tuple(schemaArbitrary(false), schemaArbitrary(false))
  .map(([one, other]) => ({ "#/components/schemas/Pet": one, "#/components/schemas/Owner": other }) as JsonRecord);

/** The same schema, written differently: by keys in another order, references and `allOf` inline, or the reverse. */
function rewrite(value: unknown, components: JsonRecord, choose: () => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, components, choose));
  if (typeof value !== "object" || value === null) return value;
  const { $ref } = value as { $ref?: string };
  if ($ref !== undefined) return choose() ? rewrite(components[$ref], components, choose) : { allOf: [value] };
  const entries = Object.entries(value).map(([key, member]) => [key, rewrite(member, components, choose)] as const);
  const reordered = Object.fromEntries(choose() ? entries.reverse() : entries);
  // What closes an object counts its own properties only, so it is not taken apart.
  if (reordered.type !== "object" || "additionalProperties" in reordered || choose()) return reordered;
  const { properties, ...rest } = reordered;
  return { allOf: [{ properties }, rest] };
}

test("a schema written differently is no change", () => {
  fc.assert(
    fc.property(
      schemaArbitrary(true),
      componentsArbitrary,
      fc.infiniteStream(fc.boolean()),
      fc.constantFrom<"request" | "response">("request", "response"),
      (schema, components, choices, direction) => {
        const rewritten = rewrite(schema, components, () => choices.next().value as boolean);
        const both = { before: components, after: components };
        expect(compare(schema, rewritten, direction, both).changes).toEqual([]);
        expect(compare(rewritten, schema, direction, both).changes).toEqual([]);
      },
    ),
    { numRuns: 400 },
  );
});

/** With texts at schemas: `properties` has names of members, and values are no schemas. */
function addTexts(value: unknown, text: string, isSchema = true): unknown {
  if (Array.isArray(value)) return value.map((item) => addTexts(item, text));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(
    ([key, member]) =>
      [
        key,
        key === "enum" || key === "required" || key === "type" ? member : addTexts(member, text, key !== "properties"),
      ] as const,
  );
  return Object.fromEntries(isSchema ? [...entries, ["x-note", text], ["description", text]] : entries);
}

test("what is added to descriptions and extensions is other texts only", () => {
  fc.assert(
    fc.property(schemaArbitrary(true), componentsArbitrary, fc.string(), (schema, components, text) => {
      const after = addTexts(components, text, false) as JsonRecord;
      for (const direction of ["request", "response"] as const) {
        const compared = compare(schema, addTexts(schema, text), direction, { before: components, after });
        expect(compared.changes).toEqual([]);
        expect(compared.hasOtherTexts).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
});

const valueArbitrary = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, depthSize: "small" },
    fc.constantFrom("a", "b", "ab", "abcd", "", null, 0, 1, 2, 3, 4, 12),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }),
    fc.array(tie("value"), { maxLength: 3 }),
  ),
})).value;

/** Open objects take members of any name: describing one is no break, although it limits its values. */
const lenient = new Set(["request.property.added"]);

test("where no request breaks, an independent validator accepts every value that it accepted before", () => {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  const none = { before: {}, after: {} };
  fc.assert(
    fc.property(
      schemaArbitrary(false),
      schemaArbitrary(false),
      fc.array(valueArbitrary, { minLength: 20 }),
      (before, after, values) => {
        const { changes } = compare(before, after, "request", none);
        if (changes.some(({ breaking, rule }) => breaking || lenient.has(rule))) return;
        const [old, now] = [ajv.compile(before), ajv.compile(after)];
        for (const value of values)
          if (old(value)) expect({ value, valid: now(value) }).toEqual({ value, valid: true });
      },
    ),
    { numRuns: 1_500 },
  );
});

test("where no response breaks, every value of after is one that an independent validator accepted before", () => {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  const none = { before: {}, after: {} };
  const known = new Set(["response.property.added"]);
  fc.assert(
    fc.property(
      schemaArbitrary(false),
      schemaArbitrary(false),
      fc.array(valueArbitrary, { minLength: 20 }),
      (before, after, values) => {
        const { changes } = compare(before, after, "response", none);
        if (changes.some(({ breaking, rule }) => breaking || known.has(rule))) return;
        const [old, now] = [ajv.compile(before), ajv.compile(after)];
        for (const value of values)
          if (now(value)) expect({ value, valid: old(value) }).toEqual({ value, valid: true });
      },
    ),
    { numRuns: 1_500 },
  );
});
