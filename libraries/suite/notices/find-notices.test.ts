import { expect, test } from "vitest";
import type { Assertion, CheckName } from "#contracts/test-registry/assertions.ts";
import { createAjvValidator } from "../../judging/schema/ajv-validator.ts";
import {
  itemWith,
  operationAnswering,
  operationWith,
  responseDocumented,
  responseWith,
} from "../../judging/testing/items.ts";
import { createMarkupReader } from "../../xpath/document.ts";
import { findNotices, maxChanges, type NoticesInput } from "./find-notices.ts";

const evaluators = { schemas: createAjvValidator(), markup: createMarkupReader() };

interface Given extends Partial<Omit<NoticesInput, "recorded" | "earlier">> {
  json?: unknown;
  response?: Parameters<typeof responseWith>[0];
  assertions?: Assertion[];
  checks?: CheckName[];
  earlier?: unknown[];
}

function find({ json, response, assertions = [], checks = [], earlier = [], operation, sent = [] }: Given) {
  const given = json === undefined ? response : { json, ...response };
  const { operation: _, ...recorded } = itemWith({ response: given, assertions, checks });
  const input = { recorded, operation, sent, earlier: earlier.map((one) => responseWith({ json: one })) };
  return findNotices(input, evaluators)!;
}

const missesOf = (given: Given) => new Map(find(given).misses.map((miss) => [miss.phrase, miss.assertion]));
const noticedBy = (given: Given) => find(given).noticed.map(({ phrase }) => phrase);
const status200: Assertion = { source: "statusCode", comparison: "equals", target: 200 };
const order = { id: 7, currency: "EUR", customer: { name: "Ada" }, lines: [{ sku: "a" }, { sku: "b" }] };

test("a test of the status notices another status, and lists what it would miss with what would catch it", () => {
  const { noticed, misses } = find({ json: order, assertions: [status200] });
  expect(noticed.map(({ key }) => key)).toEqual(["status:500", "status:404", "status:202"]);
  const listed = new Map(misses.map(({ phrase, assertion }) => [phrase, assertion]));
  expect(listed.get("id missing")).toEqual({
    source: "jsonPath",
    property: "$.id",
    comparison: "hasType",
    target: "number",
  });
  expect(listed.get("null for customer.name")).toMatchObject({ property: "$.customer.name", target: "string" });
  expect(listed.get("another currency")).toMatchObject({ property: "$.currency", comparison: "equals", target: "EUR" });
  expect(listed.get("an empty list in lines")).toMatchObject({ property: "$.lines", comparison: "isNotEmpty" });
  expect(listed.get("sku missing in an item of lines")).toMatchObject({
    property: "$.lines",
    comparison: "matchesSchema",
    target: { type: "array", items: { type: "object", required: ["sku"], properties: { sku: { type: "string" } } } },
  });
  expect(listed.get("text/html in place of application/json")).toMatchObject({ comparison: "startsWith" });
  expect(listed.get("a response after 30 s")).toEqual({
    source: "responseTime",
    comparison: "lessThan",
    target: 1_000,
  });
  expect(listed.get("a body cut in the middle")).toMatchObject({ property: "$", target: "object" });
});

test("each listed assertion, once added, turns its miss into something noticed", () => {
  const before = find({ json: order, assertions: [status200] });
  const added = before.misses.flatMap(({ assertion }) => (assertion ? [assertion] : []));
  const after = find({ json: order, assertions: [status200, ...added] });
  expect(after.misses.filter(({ assertion }) => assertion)).toEqual([]);
  expect(after.noticed.length).toBeGreaterThanOrEqual(before.noticed.length + before.misses.length);
});

test("where the document describes the body, one assertion stands for all that it says", () => {
  const properties = { id: { type: "integer" }, title: { type: "string" } };
  const operation = operationAnswering({ type: "object", required: ["id"], properties });
  const misses = missesOf({ json: { id: 1, title: "x" }, operation, assertions: [status200] });
  const documented = { source: "schema", comparison: "matchesSchema" };
  for (const phrase of ["id missing", "a number for title", "an empty body"]) {
    expect(misses.get(phrase)).toEqual(documented);
  }
  expect(misses.get("another title")).toMatchObject({ comparison: "equals", target: "x" });
});

test("a test without any rule notices nothing", () => {
  const { noticed, misses } = find({ json: order });
  expect(noticed).toEqual([]);
  expect(misses.length).toBeGreaterThan(10);
});

test("the documented schema notices a missing required member; an optional one is no fault", () => {
  const properties = { id: { type: "integer" }, note: { type: "string" }, tag: { type: ["string", "null"] } };
  const operation = operationAnswering({ type: "object", required: ["id", "tag"], properties });
  const json = { id: 1, note: "x", tag: "a" };
  const noticed = noticedBy({ json, operation, checks: ["response_schema_conformance"] });
  expect(noticed).toEqual(expect.arrayContaining(["id missing", "a text for id", "tag missing"]));
  const all = [...noticed, ...missesOf({ json, operation, checks: ["response_schema_conformance"] }).keys()];
  expect(all).not.toContain("note missing");
  expect(all).not.toContain("null for tag");
});

test("another value of an enumeration is one that the document allows", () => {
  const properties = { currency: { type: "string", enum: ["EUR", "USD"] } };
  const operation = operationAnswering({ type: "object", required: ["currency"], properties });
  const misses = missesOf({ json: { currency: "EUR" }, operation, checks: ["response_schema_conformance"] });
  expect(misses.get("another currency")).toMatchObject({ comparison: "equals", target: "EUR" });
});

test("values that vary are not pinned: neither by their form nor if earlier responses had others", () => {
  const json = { id: "0b0f7c1e-4f0e-4f0e-8f0e-0b0f7c1e4f0e", createdAt: "2026-01-02T03:04:05Z", title: "A", stock: 3 };
  const misses = missesOf({ json, earlier: [{ ...json, stock: 4 }] });
  expect([...misses.keys()]).not.toEqual(expect.arrayContaining(["another id"]));
  for (const phrase of ["another id", "another value for createdAt", "another stock"])
    expect(misses.has(phrase)).toBe(false);
  expect(misses.get("id that is not a UUID")).toMatchObject({ comparison: "matches" });
  expect(misses.get("createdAt that is not a date and time")).toMatchObject({ comparison: "matches" });
  expect(misses.get("another title")).toMatchObject({ target: "A" });
});

test("a number is expected once an earlier response had the same, a text at once", () => {
  const json = { price: 4.5, inStock: true, category: "paper" };
  const phrases = [...missesOf({ json }).keys()].filter((phrase) => phrase.startsWith("another"));
  expect(phrases).toEqual(["another category"]);
  const later = [...missesOf({ json, earlier: [json] }).keys()].filter((phrase) => phrase.startsWith("another"));
  expect(later).toEqual(["another price", "another value for inStock", "another category"]);
});

test("a value that varies counts where the test does notice it", () => {
  const json = { id: "0b0f7c1e-4f0e-4f0e-8f0e-0b0f7c1e4f0e" };
  const pinned: Assertion = { source: "jsonPath", property: "$.id", comparison: "equals", target: json.id };
  expect(noticedBy({ json, assertions: [pinned] })).toContain("another id");
});

test("an identifier that stayed the same in three responses is expected to stay", () => {
  const misses = missesOf({ json: { id: 7 }, earlier: [{ id: 7 }, { id: 7 }] });
  expect(misses.get("another id")).toMatchObject({ target: 7 });
});

test("an identifier that the test sends is expected to come back, by its variable", () => {
  const misses = missesOf({ json: { id: 7 }, sent: [{ text: "7", target: "{{bookId}}" }] });
  expect(misses.get("another id")).toEqual({
    ...{ source: "jsonPath", property: "$.id", comparison: "equals", target: "{{bookId}}" },
  });
});

test("a member that earlier responses lacked, and a list that was empty, are no misses", () => {
  const misses = missesOf({ json: { a: "x", list: [1] }, earlier: [{ list: [] }] });
  expect([...misses.keys()].filter((phrase) => /\ba\b.*missing|empty list/.test(phrase))).toEqual([]);
});

test("a shorter list counts only where its length is known to stay", () => {
  const json = { tags: ["a", "b"] };
  expect(missesOf({ json }).has("an item less in tags")).toBe(false);
  expect(missesOf({ json, earlier: [json] }).get("an item less in tags")).toMatchObject({
    comparison: "lengthEquals",
    target: 2,
  });
});

test("of lists within lists each level is spoiled, with what is expected of every item", () => {
  const json = {
    matrix: [
      [1, 2],
      [3, 4],
    ],
  };
  const listed = [...missesOf({ json, assertions: [status200] })].filter(([phrase]) => phrase.includes("matrix"));
  const inMatrix = (items: object) => ({ property: "$.matrix", target: { type: "array", items } });
  const found = Object.fromEntries(listed);
  expect(found["an empty list in an item of matrix"]).toMatchObject(inMatrix({ type: "array", minItems: 1 }));
  expect(found["an item less in an item of matrix"]).toMatchObject(
    inMatrix({ type: "array", minItems: 2, maxItems: 2 }),
  );
  expect(found["an object in place of a list in an item of matrix"]).toMatchObject(inMatrix({ type: "array" }));
  const ofNumbers = inMatrix({ type: "array", items: { type: "number" } });
  expect(found["a text in place of a number in an item in an item of matrix"]).toMatchObject(ofNumbers);
  expect(listed.map(([phrase]) => phrase)).toEqual([
    ...["an empty list in matrix", "matrix missing", "an object for matrix", "null for matrix"],
    ...["the same item twice in matrix", "an empty list in an item of matrix"],
    ...["an object in place of a list in an item of matrix", "an item less in an item of matrix"],
    "a text in place of a number in an item in an item of matrix",
  ]);
});

test("lists within lists that differ in length lack no item, and one that was empty may be", () => {
  const misses = missesOf({ json: [[1, 2], [3], []], assertions: [status200] });
  expect([...misses.keys()].filter((phrase) => /item less|empty list in an item/.test(phrase))).toEqual([]);
  expect(misses.get("a text in place of a number in an item in an item")).toMatchObject({ property: "$" });
});

test("a list in an item of a list is spoiled, and so is the first item of it", () => {
  const json = { orders: [{ lines: [{ sku: "a" }] }, { lines: [{ sku: "b" }] }] };
  const misses = missesOf({ json, assertions: [status200] });
  const lines = { type: "array", minItems: 1 };
  expect(misses.get("an empty list in lines in an item of orders")).toMatchObject({
    ...{ property: "$.orders", target: { items: { properties: { lines } } } },
  });
  expect(misses.get("sku missing in an item of lines in an item of orders")).toMatchObject({
    property: "$.orders",
    target: { items: { properties: { lines: { items: { required: ["sku"] } } } } },
  });
});

test("a member that only some items have is not expected in each of them", () => {
  const misses = missesOf({ json: [{ id: 1, note: "x" }, { id: 2 }] });
  expect(misses.has("note missing in an item")).toBe(false);
  expect(misses.get("id missing in an item")).toMatchObject({ property: "$", comparison: "matchesSchema" });
});

test("documented headers are spoiled, and those that an assertion reads", () => {
  const headers = [{ name: "X-Total", required: true, description: "", schema: { type: "integer" } }];
  const operation = operationWith({ responses: [responseDocumented("200", { headers })] });
  const response = {
    headers: [
      ["content-type", "application/json"],
      ["X-Total", "5"],
      ["Server", "x"],
    ] as [string, string][],
  };
  const { noticed, misses } = find({ json: {}, response, operation, checks: ["response_headers_conformance"] });
  expect(noticed.map(({ phrase }) => phrase)).toEqual(
    expect.arrayContaining(["header X-Total missing", "another value of header X-Total"]),
  );
  expect(misses.filter(({ header }) => header === "Server")).toEqual([]);
});

test("a secret that was replaced in the stored response is not expected", () => {
  const misses = missesOf({ json: { greeting: "hello [secret]" } });
  expect(misses.has("another greeting")).toBe(false);
});

test("assertions that the stored response does not pass are set aside", () => {
  const secret: Assertion = { source: "jsonPath", property: "$.key", comparison: "equals", target: "s3cret" };
  const { setAside, noticed } = find({ json: { key: "[secret]" }, assertions: [status200, secret] });
  expect(setAside).toBe(1);
  expect(noticed).toHaveLength(3);
  const { operation: _, ...recorded } = itemWith({ response: { json: { key: "[secret]" } }, assertions: [secret] });
  expect(findNotices({ recorded, operation: undefined, earlier: [], sent: [] }, evaluators)).toBeUndefined();
});

test("text is spoiled as a whole", () => {
  const text = { headers: [["Content-Type", "text/plain"]] as [string, string][], body: "all is well" };
  expect(missesOf({ response: text }).get("a body cut in the middle")).toMatchObject({ comparison: "endsWith" });
  expect(missesOf({ response: text }).get("an empty body")).toMatchObject({ source: "body", comparison: "exists" });
});

test("at most 60 changes are tried, the outermost first, and the others are counted", () => {
  const wide = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`m${index}`, { deep: "x" }]));
  const { noticed, misses, leftOut } = find({ json: wide, assertions: [status200] });
  expect(noticed.length + misses.length).toBe(maxChanges);
  expect(leftOut).toBeGreaterThan(0);
  expect(misses.every(({ pointer = "" }) => pointer.split("/").length <= 2)).toBe(true);
});

test("what was not tried when the time was over is counted", () => {
  const { operation: _, ...recorded } = itemWith({ response: { json: order }, assertions: [status200] });
  let tried = 0;
  const isOver = () => {
    tried += 1;
    return tried > 2;
  };
  const found = findNotices({ recorded, operation: undefined, earlier: [], sent: [] }, { ...evaluators, isOver })!;
  expect(found.noticed).toHaveLength(2);
  expect(found.leftOut).toBeGreaterThan(10);
});
