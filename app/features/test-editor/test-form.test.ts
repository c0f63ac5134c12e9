import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Assertion,
  assertionSources,
  type Comparison,
  checkNames,
  comparisons,
} from "#contracts/test-registry/assertions.ts";
import { type TestInput, testInput } from "#contracts/test-registry/tests.ts";
import type { Json } from "#libraries/json/json.ts";
import { comparisonWords, sourceWords } from "./assertion-words.ts";
import { readTags, writeTags } from "./tags.ts";
import { readTarget, writeTarget } from "./target.ts";
import { testOfValues } from "./test-of-values.ts";
import { templateNames, valuesOfTest } from "./values-of-test.ts";

const word = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text.trim() === text && text !== "");
const line = fc.string({ maxLength: 30 });
const pair = fc.record({ name: word, value: line, enabled: fc.boolean() });
/** A value after a round trip through JSON: -0 becomes 0. */
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);

const scalarText = fc.oneof(line, fc.constantFrom("200", "true", "null", '"quoted"', "[1]", "{}", "a, b", "{{id}}"));
const targets: Record<(typeof comparisonWords)[Comparison]["target"], fc.Arbitrary<unknown>> = {
  none: fc.constant(undefined),
  any: fc.oneof(json, scalarText),
  number: fc.oneof(fc.integer(), fc.constant("{{count}}")),
  range: fc.tuple(fc.integer(), fc.integer()),
  list: fc.array(fc.oneof(json, scalarText), { minLength: 1, maxLength: 4 }),
  text: scalarText,
  typeName: fc.constantFrom("string", "number", "object"),
  moment: fc.constantFrom("now", "2026-11-27T21:00:00+01:00", "Sun, 06 Nov 1994 08:49:37 GMT", 1732700000, "{{at}}"),
  span: fc.tuple(
    fc.constantFrom("1 min", "1.5 h", "{{span}}"),
    fc.constantFrom("now", "2026-11-27", 1732700000, "{{at}}"),
  ),
  schema: fc.option(fc.dictionary(word, json, { maxKeys: 3 }), { nil: undefined }),
};

const assertion: fc.Arbitrary<Assertion> = fc
  .tuple(fc.constantFrom(...assertionSources), fc.constantFrom(...comparisons))
  .map(([source, comparison]) => [source, source === "schema" ? "matchesSchema" : comparison] as const)
  .chain(([source, comparison]) =>
    fc.record({ property: word, target: targets[comparisonWords[comparison].target] }).map(({ property, target }) => ({
      source,
      ...(sourceWords[source].property ? { property } : {}),
      comparison,
      ...(target === undefined ? {} : { target }),
    })),
  );

const file = fc.record({
  sha256: fc.stringMatching(/^[0-9a-f]{64}$/),
  name: word,
  size: fc.integer({ min: 0, max: 10_485_760 }),
});
const headers = fc.array(fc.record({ name: fc.constantFrom("X-A", "X-B"), value: word }), {
  minLength: 1,
  maxLength: 2,
});

const body: fc.Arbitrary<TestInput["request"]["body"]> = fc.oneof(
  fc.constant({ kind: "none" as const }),
  fc.record({ kind: fc.constant("json" as const), text: line }),
  fc.record({ kind: fc.constant("json" as const), text: line, mediaType: fc.constant("application/problem+json") }),
  fc.record({ kind: fc.constant("text" as const), text: line, mediaType: fc.constant("text/csv") }),
  fc.record({ kind: fc.constant("form" as const), fields: fc.array(pair, { maxLength: 3 }) }),
  fc.record({
    kind: fc.constant("multipart" as const),
    parts: fc.array(fc.record({ name: word, value: line, enabled: fc.boolean(), fileName: word }), { maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant("multipart" as const),
    mediaType: fc.constant("multipart/mixed"),
    parts: fc.array(fc.record({ name: word, value: fc.constant(""), enabled: fc.boolean(), file, headers }), {
      maxLength: 3,
    }),
  }),
  fc.record({ kind: fc.constant("file" as const), file, mediaType: fc.constant("image/png") }),
);

const authorization: fc.Arbitrary<TestInput["request"]["authorization"]> = fc.oneof(
  fc.constant({ kind: "none" as const }),
  fc.constant({ kind: "inherit" as const }),
  fc.record({
    kind: fc.constant("credentials" as const),
    bindings: fc.array(fc.record({ schemeName: line, credentialId: fc.uuid() }), { minLength: 1, maxLength: 2 }),
  }),
);

const data = fc.option(fc.array(fc.record({ user: line, age: line }), { minLength: 1, maxLength: 3 }), {
  nil: undefined,
});

const anyTest: fc.Arbitrary<TestInput> = fc.record({
  name: word,
  method: fc.constantFrom("get", "post", "QUERY"),
  path: fc.constant("/things"),
  enabled: fc.boolean(),
  tags: fc.uniqueArray(word, { maxLength: 4 }),
  request: fc.record({
    pathParameters: fc.array(pair, { maxLength: 2 }),
    query: fc.array(pair, { maxLength: 3 }),
    headers: fc.array(pair, { maxLength: 3 }),
    cookies: fc.array(pair, { maxLength: 2 }),
    body,
    authorization,
    followRedirects: fc.boolean(),
    readUntil: fc.option(
      fc.oneof(
        fc.record({ kind: fc.constant("items" as const), count: fc.integer({ min: 1, max: 10_000 }) }),
        fc.record({ kind: fc.constant("seconds" as const), seconds: fc.integer({ min: 1, max: 110 }) }),
      ),
      { nil: undefined },
    ),
  }),
  assertions: fc.array(assertion, { maxLength: 4 }),
  checks: fc.uniqueArray(fc.constantFrom(...checkNames)),
  captures: fc.array(
    fc
      .record({ name: fc.constantFrom("id", "token"), source: fc.constantFrom("jsonPath", "header"), property: word })
      .chain((one) =>
        fc.constantFrom(one, { ...one, secret: true }, { ...one, optional: true }, { ...one, pattern: "([^/]+)$" }),
      ),
    { maxLength: 2 },
  ),
  data,
  retry: fc.record({
    attempts: fc.integer({ min: 1, max: 10 }),
    backoff: fc.constantFrom("fixed" as const, "exponential" as const),
    delayMilliseconds: fc.integer({ min: 0, max: 60_000 }),
  }),
  locationId: fc.constantFrom(undefined, "0198c1f4-7c1b-7a52-9d2e-3f1a5b6c7d8e"),
  waitUntil: fc.constantFrom(
    undefined,
    { everySeconds: 0.1, atMostSeconds: 300 },
    { everySeconds: 5, atMostSeconds: 60 },
  ),
  timeoutMilliseconds: fc.integer({ min: 111_000, max: 120_000 }),
});

test("a test survives the form: the filled form parses back to the same test", () => {
  fc.assert(
    fc.property(anyTest, (original) => {
      const made = testOfValues(valuesOfTest(original), original);
      expect(made.faults).toEqual([]);
      expect(testInput.parse(JSON.parse(JSON.stringify(made.input)))).toEqual(
        // The form says so where no location is chosen: without the field, the stored one would stay.
        testInput.parse(JSON.parse(JSON.stringify({ ...original, locationId: original.locationId ?? null }))),
      );
    }),
  );
});

test("every written target parses back to itself, typed", () => {
  fc.assert(
    fc.property(assertion, ({ source, comparison, target }) => {
      const place = { source, comparison };
      const read = readTarget(writeTarget(target as Json | undefined, place), place);
      expect(read).toEqual({ value: target });
    }),
    { numRuns: 1_000 },
  );
});

test.each(["9007199254740993", "2936.23380448434092597", "1.0", "1e5", "1e999999999", '[1.0,{"a":-0}]', "1, 2.50"])(
  "a number typed as %s keeps its text through the form and the test",
  (typed) => {
    const comparison = typed.includes(", ") ? ("between" as const) : ("equals" as const);
    const values = valuesOfTest(testInput.parse({ name: "a", method: "get", path: "/a", request: {}, checks: [] }));
    const row = { source: "jsonPath", property: "$.a", comparison, target: typed, targetType: "auto" };
    const { input, faults } = testOfValues({ ...values, assertions: [row] }, { method: "get", path: "/a" });
    expect(faults).toEqual([]);
    const stored = testInput.parse(JSON.parse(JSON.stringify(input)));
    expect(stored.assertions[0]?.targetJson).toBe(typed.includes(", ") ? "[1,2.50]" : typed);
    expect(valuesOfTest(stored).assertions).toEqual([row]);
  },
);

test("a variable that was chosen to be text stays text", () => {
  const values = valuesOfTest(testInput.parse({ name: "a", method: "get", path: "/a", request: {}, checks: [] }));
  const row = { source: "jsonPath", property: "$.a", comparison: "equals", target: "{{id}}", targetType: "text" };
  const { input } = testOfValues({ ...values, assertions: [row] }, { method: "get", path: "/a" });
  expect(testInput.parse(input).assertions[0]).toMatchObject({ target: "{{id}}", variableType: "text" });
  expect(valuesOfTest(testInput.parse(input)).assertions).toEqual([row]);
});

test("tags survive their line, commas and quotes included", () => {
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 5 }), (tags) => {
      expect(readTags(writeTags(tags))).toEqual(tags);
    }),
  );
});

const example: TestInput = testInput.parse({
  name: "List",
  method: "get",
  path: "/pets/{petId}/toys/{toy id}",
  request: {},
});

test("every parameter of the path template gets a row, also one with odd characters", () => {
  expect(templateNames("/a/{b}/{{c}}/{d.e-f}")).toEqual(["b", "d.e-f"]);
  expect(valuesOfTest(example).request.pathParameters.map(({ name }) => name)).toEqual(["petId", "toy id"]);
});

test("empty rows are left out, and an error is still at its row", () => {
  const values = valuesOfTest(example);
  const blank = { name: "", value: "", enabled: true };
  values.request.headers = [blank, { name: "X-Bad Name", value: "1", enabled: true }];
  const made = testOfValues(values, example);
  expect(made.input).toMatchObject({ request: { headers: [{ name: "X-Bad Name" }] } });
  expect(made.fieldOf("request.headers[0].name")).toBe("request.headers[1].name");
  expect(made.fieldOf("enabled")).toBe("enabled");
});

test("an error of the body is at the field of its kind", () => {
  const values = valuesOfTest({ ...example, request: { ...example.request, body: { kind: "json", text: "{" } } });
  expect(testOfValues(values, example).fieldOf("request.body.text")).toBe("request.body.json");
});

test("invalid numbers are errors at their fields", () => {
  const values = valuesOfTest(example);
  values.timeoutMilliseconds = "soon";
  values.retry.attempts = "1.5";
  expect(testOfValues(values, example).faults.map(({ path }) => path)).toEqual([
    "retry.attempts",
    "timeoutMilliseconds",
  ]);
});

test("of a wait both fields are required, or none, as numbers", () => {
  const faultsOf = (everySeconds: string, atMostSeconds: string) =>
    testOfValues({ ...valuesOfTest(example), waitUntil: { everySeconds, atMostSeconds } }, example).faults;
  expect(faultsOf("", " ")).toEqual([]);
  expect(faultsOf("0.5", "30")).toEqual([]);
  expect(faultsOf("5", "")).toEqual([
    { path: "waitUntil.atMostSeconds", message: "Enter the longest wait too, or leave both empty" },
  ]);
  expect(faultsOf("", "30")).toEqual([
    { path: "waitUntil.everySeconds", message: "Enter the pause too, or leave both empty" },
  ]);
  expect(faultsOf("often", "-3").map(({ path }) => path)).toEqual([
    "waitUntil.everySeconds",
    "waitUntil.atMostSeconds",
  ]);
});

test("selecting credentials without naming one is an error", () => {
  const values = valuesOfTest(example);
  values.request.authorization.kind = "credentials";
  expect(testOfValues(values, example).faults.map(({ path }) => path)).toEqual(["request.authorization.bindings"]);
});
