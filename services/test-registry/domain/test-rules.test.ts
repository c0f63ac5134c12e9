import { expect, test } from "vitest";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import { type TestInput, testInput } from "#contracts/test-registry/tests.ts";
import { findTestErrors } from "./test-rules.ts";

function testWith(changes: Partial<TestInput>): TestInput {
  return testInput.parse({
    name: "Lists pets",
    method: "get",
    path: "/pets",
    request: {},
    checks: ["not_a_server_error"],
    ...changes,
  });
}

function findErrors(changes: Partial<TestInput>): Record<string, string> {
  return Object.fromEntries(findTestErrors(testWith(changes)).map(({ path, message }) => [path, message]));
}

const requestWith = (changes: object) => ({ request: testWith({ request: changes as never }).request });
const row = (name: string, value: string) => ({ name, value, enabled: true });

test("a test that verifies nothing can only be saved disabled", () => {
  expect(findErrors({ checks: [], assertions: [] })).toEqual({
    enabled: "Add an assertion or a check, or save the test disabled: without one it would always pass",
  });
  expect(findErrors({ checks: [], assertions: [], enabled: false })).toEqual({});
});

const target = "assertions[0].target";

test.each<[Assertion, string, string]>([
  [{ source: "statusCode", comparison: "equals" }, target, "Say what to compare with"],
  [{ source: "statusCode", comparison: "equals", target: "200" }, target, "Enter a number"],
  [
    { source: "statusCode", comparison: "oneOf", target: [200, "201"] },
    target,
    "Enter a number in each place of the list",
  ],
  [
    { source: "statusCode", comparison: "oneOf", target: [] },
    target,
    'Enter a list with at least one value, e.g. [200, "a"]',
  ],
  [
    { source: "statusCode", comparison: "noneOf", target: 200 },
    target,
    'Enter a list with at least one value, e.g. [200, "a"]',
  ],
  [{ source: "responseTime", comparison: "lessThan", target: "1s" }, target, "Enter a number"],
  [{ source: "responseTime", comparison: "between", target: [10] }, target, "Enter two numbers, e.g. [1, 10]"],
  [
    { source: "responseTime", comparison: "between", target: [10, 1] },
    target,
    "The first number must not be larger than the second",
  ],
  [
    { source: "header", property: "date", comparison: "before", target: "tomorrow" },
    target,
    "Enter a date, e.g. 2026-11-27T21:00:00Z, or now",
  ],
  [
    { source: "header", property: "date", comparison: "within", target: ["1 month", "now"] },
    target,
    "Enter a span and a date, e.g. 1 min of now. Units are ms, s, min, h and d",
  ],
  [
    { source: "header", property: "date", comparison: "within", target: "now" },
    target,
    "Enter a span and a date, e.g. 1 min of now. Units are ms, s, min, h and d",
  ],
  [
    { source: "url", comparison: "after", target: "now" },
    "assertions[0].comparison",
    "The address can't be judged by after",
  ],
  [{ source: "bodySha256", comparison: "equals", target: "abc" }, target, "Enter a SHA-256 as 64 hex digits"],
  [
    { source: "xPath", property: "//a[", comparison: "exists" },
    "assertions[0].property",
    "This is not XPath 1.0, e.g. //item[@id='7']/price.",
  ],
  [{ source: "xPath", comparison: "exists" }, "assertions[0].property", "Enter an XPath, e.g. //item[1]/@id"],
  [{ source: "body", comparison: "startsWith", target: 1 }, target, "Enter text"],
  [{ source: "body", comparison: "equals", target: { a: 1 } }, target, "Enter text"],
  [{ source: "body", comparison: "lengthEquals", target: 1.5 }, target, "Enter a whole number, 0 or more"],
  [{ source: "body", comparison: "lengthLessThan", target: -1 }, target, "Enter a whole number, 0 or more"],
  [
    { source: "body", comparison: "matches", target: "(?=a)" },
    target,
    "Unsupported pattern: lookahead is not supported.",
  ],
  [{ source: "body", comparison: "notMatches", target: 5 }, target, "Enter a regular expression as text"],
  [
    { source: "jsonPath", property: "$.a", comparison: "hasType", target: "text" },
    target,
    "Enter one of null, boolean, number, integer, string, array or object",
  ],
  [
    { source: "jsonPath", property: "$.a", comparison: "matchesSchema" },
    target,
    'Enter a JSON Schema, e.g. {"type": "array"}',
  ],
  [
    { source: "schema", comparison: "matchesSchema", target: [] },
    target,
    'Enter a JSON Schema, e.g. {"type": "array"}',
  ],
  [
    { source: "jsonPath", property: "items", comparison: "exists" },
    "assertions[0].property",
    "Not a JSONPath: a query starts with $ (character 1).",
  ],
  [{ source: "jsonPath", comparison: "exists" }, "assertions[0].property", "Enter a JSONPath, e.g. $.items[0].id"],
  [{ source: "header", property: " ", comparison: "exists" }, "assertions[0].property", "Name the header"],
  [{ source: "cookie", comparison: "exists" }, "assertions[0].property", "Name the cookie"],
  [
    { source: "statusCode", comparison: "contains", target: 2 },
    "assertions[0].comparison",
    "The status code can't be judged by contains",
  ],
  [
    { source: "header", property: "a", comparison: "isNull" },
    "assertions[0].comparison",
    "A header can't be judged by isNull",
  ],
  [
    { source: "schema", comparison: "equals", target: 1 },
    "assertions[0].comparison",
    "The schema can't be judged by equals",
  ],
])("%j is refused at its field", (assertion, path, message) => {
  expect(findErrors({ assertions: [assertion] })).toEqual({ [path]: message });
});

test.each<Assertion>([
  { source: "statusCode", comparison: "equals", target: 200 },
  { source: "statusCode", comparison: "equals", target: "{{expectedStatus}}" },
  { source: "header", property: "content-length", comparison: "greaterThan", target: 0 },
  { source: "header", property: "etag", comparison: "exists" },
  { source: "certificate", comparison: "greaterThan", target: 14 },
  { source: "jsonPath", property: "$.a", comparison: "equals", target: null },
  { source: "jsonPath", property: "$..[?@.id == {{id}}]", comparison: "exists" },
  { source: "jsonPath", property: "$.a", comparison: "between", target: [1, 1] },
  { source: "schema", comparison: "matchesSchema" },
  { source: "schema", comparison: "matchesSchema", target: { type: "array" } },
  { source: "url", comparison: "endsWith", target: "/home" },
  { source: "header", property: "expires", comparison: "after", target: "now" },
  { source: "bodySha256", comparison: "equals", target: "E3".repeat(32) },
  { source: "charset", comparison: "oneOf", target: ["utf-8", "us-ascii"] },
  { source: "xPath", property: "//a[@id='{{id}}']", comparison: "equals", target: 7 },
  { source: "jsonPath", property: "$.at", comparison: "before", target: 1732700000 },
  { source: "jsonPath", property: "$.at", comparison: "within", target: ["{{span}}", "{{createdAt}}"] },
])("%j is accepted", (assertion) => {
  expect(findErrors({ assertions: [assertion] })).toEqual({});
});

test.each(["Host", "content-length", "Transfer-Encoding", "Connection", "Expect", "Upgrade", "TE"])(
  "S11: the header %s belongs to the runner",
  (name) => {
    expect(findErrors(requestWith({ headers: [row("accept", "*/*"), row(name, "x")] }))).toEqual({
      "request.headers[1].name": `${name} is set by the runner and can't be chosen; remove the row`,
    });
  },
);

test("S11: line breaks and NUL are refused wherever they would reach a header line", () => {
  expect(
    Object.keys(
      findErrors({
        ...requestWith({
          headers: [row("a\r\nb", "x"), row("c", "x\r\nd: 1"), row("e", "\u0000")],
          cookies: [row("s", "1\n"), row("t;u", "1"), row("v", "1; admin=1")],
          body: { kind: "text", text: "", mediaType: "text/plain\r\nx: y" },
        }),
        path: "/pets\r\n",
        method: "GET /",
      }),
    ),
  ).toEqual([
    "method",
    "path",
    "request.headers[0].name",
    "request.headers[1].value",
    "request.headers[2].value",
    "request.cookies[0].value",
    "request.cookies[1].name",
    "request.cookies[2].value",
    "request.body.mediaType",
  ]);
});

test("an enabled test has a value for each path parameter", () => {
  const path = "/shops/{shopId}/pets/{petId}";
  const request = requestWith({ pathParameters: [row("shopId", "")] });
  expect(findErrors({ path, ...request })).toEqual({
    "request.pathParameters[0].value": "Enter a value for the path parameter shopId",
    "request.pathParameters": "Enter a value for the path parameter petId",
  });
  expect(findErrors({ path, ...request, enabled: false })).toEqual({});
});

test("a variable in the path is refused, since it would be read as a path parameter in braces", () => {
  const error = {
    path: "A path has no variables. Write {petId} instead and give the path parameter petId the value {{petId}}",
  };
  expect(findErrors({ path: "/pets/{{petId}}" })).toEqual(error);
  expect(findErrors({ path: "/pets/{{ petId }}/photos", enabled: false })).toEqual(error);
});

test("a target's text is the target itself, with every digit", () => {
  const assertion = { source: "jsonPath" as const, property: "$.id", comparison: "equals" as const };
  const errorOf = (changes: Partial<Assertion>) =>
    findErrors({ assertions: [{ ...assertion, ...changes }] })["assertions[0].targetJson"];
  expect(errorOf({ target: 9007199254740992, targetJson: "9007199254740993" })).toBeUndefined();
  expect(errorOf({ target: { a: [1] }, targetJson: '{"a":[1.0]}' })).toBeUndefined();
  expect(errorOf({ target: 5, targetJson: "9007199254740993" })).toMatch(/^This is not the target/);
  expect(errorOf({ targetJson: "1.0" })).toMatch(/^This is not the target/);
  expect(errorOf({ target: 5, targetJson: "{" })).toMatch(/^This is not JSON/);
});

test("the ends of a range are compared as decimals", () => {
  const between = { source: "jsonPath" as const, property: "$.id", comparison: "between" as const };
  const target = [9007199254740992, 9007199254740992];
  const errorOf = (targetJson: string) =>
    findErrors({ assertions: [{ ...between, target, targetJson }] })["assertions[0].target"];
  expect(errorOf("[9007199254740992,9007199254740993]")).toBeUndefined();
  expect(errorOf("[9007199254740993,9007199254740992]")).toBe("The first number must not be larger than the second");
});

test("a base URL is an absolute web URL or a variable", () => {
  const error = { "request.baseUrl": "Enter a full URL, e.g. https://api.example.com/v1" };
  expect(findErrors(requestWith({ baseUrl: "api.example.com" }))).toEqual(error);
  expect(findErrors(requestWith({ baseUrl: "ftp://api.example.com" }))).toEqual(error);
  expect(findErrors(requestWith({ baseUrl: "https://api.example.com/v1" }))).toEqual({});
  expect(findErrors(requestWith({ baseUrl: "{{base}}/v1" }))).toEqual({});
  expect(findErrors(requestWith({ baseUrl: "https://{{host}}:8080" }))).toEqual({});
});

test("invalid JSON may be sent, to test how a server handles it", () => {
  expect(findErrors(requestWith({ body: { kind: "json", text: "{" } }))).toEqual({});
});

test("the maximum response time is required by its check", () => {
  expect(findErrors({ checks: ["max_response_time"] })).toEqual({
    maximumResponseMilliseconds: "Say how many milliseconds are allowed",
  });
});

test("a test that waits is not retried, and its pause is not longer than its wait", () => {
  const retry = { attempts: 2, backoff: "fixed", delayMilliseconds: 0 } as const;
  expect(findErrors({ waitUntil: { everySeconds: 1, atMostSeconds: 30 } })).toEqual({});
  expect(findErrors({ waitUntil: { everySeconds: 60, atMostSeconds: 30 }, retry })).toEqual({
    "waitUntil.everySeconds": "Not longer than the longest wait",
    "retry.attempts": "A test that waits is not retried: set 1 attempt, or do not wait",
  });
});

test("captures have unique names and a source to capture", () => {
  const captures: TestInput["captures"] = [
    { name: "id", source: "jsonPath", property: "$.id" },
    { name: "id", source: "header" },
    { name: "word", source: "body", property: "a(?=b)" },
    { name: "text", source: "body" },
  ];
  expect(findErrors({ captures })).toEqual({
    "captures[1].name": "Another capture is named id",
    "captures[1].property": "Name the header",
    "captures[2].property": "Unsupported pattern: lookahead is not supported.",
  });
});

test("a capture's pattern is RE2, and searches a header or a cookie", () => {
  const one = { name: "id", source: "header" as const, property: "Location" };
  expect(findErrors({ captures: [{ ...one, pattern: "([^/?#]+)/?(?:[?#].*)?$" }] })).toEqual({});
  expect(findErrors({ captures: [{ ...one, pattern: "(?=7)" }] })).toEqual({
    "captures[0].pattern": "Unsupported pattern: lookahead is not supported.",
  });
  expect(findErrors({ captures: [{ name: "id", source: "jsonPath", property: "$.id", pattern: "7" }] })).toEqual({
    "captures[0].pattern": "Only the value of a header or a cookie is searched by a pattern",
  });
});
