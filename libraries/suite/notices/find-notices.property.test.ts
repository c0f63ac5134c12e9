import { array, assert, constantFrom, type JsonValue, jsonValue, object, oneof, property, subarray } from "fast-check";
import { expect, test } from "vitest";
import { checkNames } from "#contracts/test-registry/assertions.ts";
import { repetitions } from "../../../tests/support/endurance.ts";
import { judgeResponse } from "../../judging/judge-response.ts";
import { createAjvValidator } from "../../judging/schema/ajv-validator.ts";
import { itemWith, operationAnswering, responseWith } from "../../judging/testing/items.ts";
import { createMarkupReader } from "../../xpath/document.ts";
import { findNotices, listSpoiled, maxChanges } from "./find-notices.ts";

const evaluators = { schemas: createAjvValidator(), markup: createMarkupReader() };

const member = oneof(
  jsonValue({ maxDepth: 2 }),
  constantFrom("EUR", "2026-01-02", "2026-01-02T03:04:05Z", 1e20, "[secret]"),
);
const body = oneof(
  jsonValue({ maxDepth: 3 }),
  array(object({ key: constantFrom("id", "price", "a b", "~/", "__proto__"), values: [member], maxDepth: 1 }), {
    maxLength: 4,
  }),
  object({ key: constantFrom("id", "list", "createdAt", "currency", "$ref"), values: [member], maxDepth: 2 }),
) as ReturnType<typeof jsonValue>;

const schemas = [
  { type: "object", required: ["id"], properties: { id: { type: "integer" }, currency: { enum: ["EUR", "USD"] } } },
  { type: "array", items: { type: "object", properties: { id: { type: "integer" } } } },
  {},
];
const operations = schemas.map((schema) => operationAnswering(schema));
const checks = checkNames.filter((name) => name !== "max_response_time");

function inputOf(json: JsonValue, schema: number, rules: (typeof checks)[number][], earlier: JsonValue[]) {
  const { operation: _, ...recorded } = itemWith({ response: { json }, checks: rules });
  return {
    recorded,
    operation: operations[schema]!,
    sent: [],
    earlier: earlier.map((one) => responseWith({ json: one })),
  };
}

const given = [body, constantFrom(0, 1, 2), subarray(checks), array(body, { maxLength: 2 })] as const;
const repeated = { numRuns: repetitions(100, 600) };

test("whatever the response and the document are, each tried change is noticed, or missed, or a value that varies", () => {
  assert(
    property(...given, (json, schema, rules, earlier) => {
      const input = inputOf(json, schema, rules, earlier);
      const found = findNotices(input, evaluators);
      if (!found) return;
      const tried = listSpoiled(input, evaluators.markup).slice(0, maxChanges);
      const listed = [...found.noticed, ...found.misses].map(({ key }) => key);
      expect(new Set(listed).size).toBe(listed.length);
      for (const { key, varies } of tried) if (!varies) expect(listed).toContain(key);
      for (const key of listed) expect(tried.map((one) => one.key)).toContain(key);
    }),
    repeated,
  );
});

test("each proposed assertion passes the recorded response and fails the changed one", () => {
  assert(
    property(...given, (json, schema, rules, earlier) => {
      const input = inputOf(json, schema, rules, earlier);
      const spoiled = new Map(listSpoiled(input, evaluators.markup).map((one) => [one.key, one]));
      for (const { key, assertion } of findNotices(input, evaluators)?.misses ?? []) {
        if (!assertion) continue;
        const only = { ...input.recorded, assertions: [assertion], checks: [] };
        const judge = (changes: object) => judgeResponse({ ...only, ...changes }, input.operation, evaluators).verdict;
        expect(judge({})).toBe("passed");
        expect(judge(spoiled.get(key)!.spoil())).toBe("failed");
      }
    }),
    repeated,
  );
});

test("every miss of a JSON body has an assertion", () => {
  assert(
    property(...given, (json, schema, rules, earlier) => {
      const misses = findNotices(inputOf(json, schema, rules, earlier), evaluators)?.misses ?? [];
      expect(misses.filter(({ assertion }) => !assertion).map(({ key }) => key)).toEqual([]);
    }),
    repeated,
  );
});
