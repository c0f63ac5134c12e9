import { expect, test } from "vitest";
import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import { test as testContract } from "#contracts/test-registry/tests.ts";
import { chooseDefinition, fillFromVerification, listSentValues } from "./judged-again.ts";

const expectsId: Assertion = { source: "jsonPath", property: "$.id", comparison: "equals", target: "{{bookId}}" };
const judged = (changes: Partial<Verification> = {}): Verification => ({
  ...{ kind: "assertion", source: "jsonPath", property: "$.id", comparison: "equals", target: 7 },
  ...{ outcome: "passed", passed: true, message: "$.id is 7." },
  ...changes,
});
const executed = { assertions: [{ source: "statusCode", comparison: "equals", target: 200 } as Assertion, expectsId] };
const fill = (verification: Verification, assertion = expectsId) =>
  fillFromVerification(assertion, executed, [judged({ source: "statusCode" }), verification]);

test("a variable is filled with what it was when the test was executed", () => {
  expect(fill(judged())).toEqual({ ...expectsId, target: 7 });
  expect(fill(judged({ target: 1e20, targetJson: "100000000000000000001" }))).toMatchObject({
    targetJson: "100000000000000000001",
  });
});

test("an assertion without variables needs no stored verification", () => {
  const plain: Assertion = { source: "jsonPath", property: "$.new", comparison: "exists" };
  expect(fill(judged(), plain)).toBe(plain);
});

test("what is not stored in full, was a secret, or was not executed is not filled", () => {
  expect(fill(judged({ target: "[secret]" }))).toBeUndefined();
  expect(fill(judged({ target: "a long text…" }))).toBeUndefined();
  expect(fill(judged({ outcome: "failed" }))).toBeUndefined();
  expect(fill(judged(), { ...expectsId, property: "$.other" })).toBeUndefined();
});

const definition = (changes: object) =>
  testContract.parse({
    ...{ id: "0190a000-0000-7000-8000-000000000001", apiId: "0190a000-0000-7000-8000-000000000002", name: "a test" },
    ...{ method: "get", path: "/books/{bookId}", request: {}, version: 1 },
    ...{ createdAt: "2026-01-01T00:00:00Z", updatedAt: "2026-01-01T00:00:00Z" },
    ...changes,
  });

test("the current definition counts while it sends the same request", () => {
  const before = definition({});
  const renamed = definition({ name: "renamed", version: 2, assertions: [expectsId] });
  expect(chooseDefinition(before, renamed)).toBe(renamed);
  const other = definition({ version: 2, request: { query: [{ name: "a", value: "b" }] } });
  expect(chooseDefinition(before, other)).toBe(before);
  expect(chooseDefinition(before, undefined)).toBe(before);
});

function sentTo(url: string, path: string, values: [string, string][]) {
  const pathParameters = values.map(([name, value]) => ({ name, value }));
  const request = { method: "GET", url, headers: [], body: null, bodyBytes: 0 };
  return listSentValues(definition({ path, request: { pathParameters } }), request);
}

test("path parameters are found in the sent address, as text or as the variable that the test has", () => {
  expect(sentTo("https://api.test/v1/books/7?a=b", "/books/{bookId}", [["bookId", "{{bookId}}"]])).toEqual([
    { text: "7", target: "{{bookId}}" },
  ]);
  expect(sentTo("https://api.test/a%20b/c/d", "/{x}/c/{y}", [["x", "a b"]])).toEqual([
    { text: "a b", target: "a b" },
    { text: "d", target: "d" },
  ]);
});

test("a parameter that is made of more than one variable, generated or secret is not expected", () => {
  expect(sentTo("https://api.test/a-7", "/{x}", [["x", "a-{{n}}"]])).toEqual([]);
  expect(sentTo("https://api.test/7", "/{x}", [["x", "{{$uuid}}"]])).toEqual([]);
  expect(sentTo("https://api.test/[secret]", "/{x}", [["x", "{{key}}"]])).toEqual([]);
  expect(sentTo("no address", "/{x}", [["x", "1"]])).toEqual([]);
});
