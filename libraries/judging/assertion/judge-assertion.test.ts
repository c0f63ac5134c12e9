import { expect, test } from "vitest";
import type { Assertion, Comparison } from "#contracts/test-registry/assertions.ts";
import { comparisons } from "#contracts/test-registry/assertions.ts";
import { joinJson, splitJson } from "../../json/json-texts.ts";
import { parseJson } from "../../json/parse-json.ts";
import { writeJson } from "../../json/write-json.ts";
import type { itemWith } from "../testing/items.ts";
import { judge } from "../testing/judge.ts";

function judgeJson(json: unknown, comparison: Comparison, target?: unknown, property = "$.value") {
  return judge({ source: "jsonPath", property, comparison, target }, { response: { json } });
}

const outcomeOf = (value: unknown, comparison: Comparison, target?: unknown) =>
  judgeJson({ value }, comparison, target).outcome;

const targets: Partial<Record<Comparison, unknown>> = {
  between: [0, 1],
  oneOf: [1],
  noneOf: [1],
  matches: "a",
  notMatches: "a",
  startsWith: "a",
  endsWith: "a",
  contains: "a",
  notContains: "a",
  hasType: "string",
  matchesSchema: {},
  within: ["1 min", "now"],
};

test("a missing path fails every positive comparison and passes the negative ones", () => {
  const passing = comparisons.filter(
    (comparison) => judgeJson({}, comparison, targets[comparison] ?? 0).outcome === "passed",
  );
  expect(passing).toEqual(["notEquals", "notContains", "noneOf", "notMatches", "notExists"]);
});

test.each<[unknown, Comparison[]]>([
  [null, ["exists"]],
  ["", ["exists", "isNotNull"]],
  [[], ["exists", "isNotNull"]],
  [{}, ["exists", "isNotNull"]],
  [0, ["exists", "isNotNull"]],
  ["a", ["exists", "isNotNull", "isNotEmpty"]],
  [[null], ["exists", "isNotNull", "isNotEmpty"]],
])("exists, isNotNull and isNotEmpty differ for %j", (value, holding) => {
  const three: Comparison[] = ["exists", "isNotNull", "isNotEmpty"];
  expect(three.filter((comparison) => outcomeOf(value, comparison) === "passed")).toEqual(holding);
});

test.each<[unknown, Comparison, unknown, boolean]>([
  [12, "equals", 12, true],
  ["12", "equals", 12, false],
  [12, "equals", "12", false],
  [1, "equals", true, false],
  [null, "equals", false, false],
  [null, "equals", null, true],
  [{ a: 1, b: [2] }, "equals", { b: [2], a: 1.0 }, true],
  [[1, 2], "equals", [2, 1], false],
  ["12", "notEquals", 12, true],
  ["12", "greaterThan", 0, false],
  [12, "greaterThan", 11.9, true],
  [12, "greaterThan", 12, false],
  [12, "greaterThanOrEqual", 12, true],
  [12, "lessThan", 12, false],
  [12, "lessThanOrEqual", 12, true],
  [1, "between", [1, 3], true],
  [3, "between", [1, 3], true],
  [3.1, "between", [1, 3], false],
  ["2", "between", [1, 3], false],
  ["banana", "contains", "nan", true],
  [["a", 1], "contains", 1, true],
  [["a", "1"], "contains", 1, false],
  [[{ a: 1 }], "contains", { a: 1 }, true],
  [12, "contains", "1", false],
  [12, "notContains", "3", false],
  [["a"], "notContains", "b", true],
  ["b", "oneOf", ["a", "b"], true],
  [1, "oneOf", ["1"], false],
  [1, "noneOf", ["1"], true],
  ["abc", "startsWith", "ab", true],
  ["abc", "endsWith", "bc", true],
  [["abc"], "startsWith", "ab", false],
  ["abc", "matches", "^a.c$", true],
  [5, "matches", "5", false],
  [5, "notMatches", "6", false],
  ["abc", "notMatches", "d", true],
  [null, "isNull", undefined, true],
  [0, "isNull", undefined, false],
  ["", "isEmpty", undefined, true],
  [[], "isEmpty", undefined, true],
  [{}, "isEmpty", undefined, true],
  [null, "isEmpty", undefined, false],
  [0, "isEmpty", undefined, false],
  [5, "hasType", "integer", true],
  [5.5, "hasType", "integer", false],
  [5, "hasType", "number", true],
  [null, "hasType", "null", true],
  [[], "hasType", "array", true],
  [[], "hasType", "object", false],
  ["😀", "lengthEquals", 1, true],
  [[1, 2], "lengthGreaterThan", 1, true],
  [{ a: 1 }, "lengthLessThan", 2, true],
  [12345, "lengthEquals", 5, false],
  [{ a: "x" }, "matchesSchema", { properties: { a: { type: "integer" } } }, false],
  [{ a: 1 }, "matchesSchema", { properties: { a: { type: "integer" } } }, true],
])("%j %s %j is %s", (value, comparison, target, passes) => {
  expect(outcomeOf(value, comparison, target)).toBe(passes ? "passed" : "failed");
});

const items = {
  items: [
    { id: 1, price: 5 },
    { id: 7, price: 12 },
  ],
};

test.each<[string, Comparison, unknown, boolean]>([
  ["$.items[*].id", "equals", [1, 7], true],
  ["$.items[*].id", "contains", 7, true],
  ["$.items[*].id", "lengthEquals", 2, true],
  ["$.items[?@.id == 7].price", "equals", 12, true],
  ["$.items[?@.id == 7].price", "equals", [12], true],
  ["$.items[?@.id == 7].price", "notEquals", 12, false],
  ["$.items[?@.id == 7].price", "greaterThan", 11, true],
  ["$.items[?@.id == 7].price", "hasType", "number", true],
  ["$.items[?@.id == 7].price", "lengthEquals", 1, true],
  ["$.items[?@.id == 9].price", "exists", undefined, false],
  ["$.items[?@.id == 9].price", "notExists", undefined, true],
  ["$.items[?@.id == 9].price", "isEmpty", undefined, true],
  ["$.items[?@.id == 9].price", "equals", 12, false],
  ["$.items[*].price", "greaterThan", 1, false],
])(
  "a query that may select several gives a list, or its only value where one is needed: %s %s %j",
  (property, comparison, target, passes) => {
    expect(judgeJson(items, comparison, target, property).outcome).toBe(passes ? "passed" : "failed");
  },
);

test.each<[string, Comparison, string, boolean]>([
  ["9007199254740993", "equals", "9007199254740993", true],
  ["9007199254740993", "equals", "9007199254740992", false],
  ["9007199254740993", "greaterThan", "9007199254740992", true],
  ["2936.23380448434092597", "equals", "2936.233804484341", false],
  ["2936.23380448434092597", "lessThan", "2936.233804484341", true],
  ["1.0", "equals", "1", true],
  ["1", "equals", "1.00", true],
  ["1e400", "between", "[1e399, 1e400]", true],
  ["1e999999999", "lessThanOrEqual", "1e999999998", false],
  ["9007199254740993", "oneOf", "[1, 9007199254740993.0]", true],
  ["9007199254740993", "noneOf", "[9007199254740992]", true],
  ["[9007199254740993]", "contains", "9007199254740992", false],
  ['[{"a":1.0}]', "contains", '{"a":1}', true],
  ['{"a":[9007199254740993]}', "equals", '{"a":[9007199254740993.0]}', true],
  ['{"a":[9007199254740993]}', "equals", '{"a":[9007199254740992]}', false],
  ['"12"', "lengthEquals", "2.0", true],
  ["9007199254740993", "matchesSchema", '{"const":9007199254740993}', true],
  ["9007199254740993", "matchesSchema", '{"const":9007199254740992}', false],
])("H10: numbers are decimals: %s %s %s", (value, comparison, target, passes) => {
  const { plain, text } = splitJson(parseJson(target));
  const verification = judge(
    { source: "jsonPath", property: "$.v", comparison, target: plain, targetJson: text },
    { response: { body: `{"v":${value}}` } },
  );
  expect(verification.outcome).toBe(passes ? "passed" : "failed");
  if (comparison === "matchesSchema") return;
  expect(writeJson(joinJson(verification.actual, verification.actualJson))).toBe(value);
  expect(writeJson(joinJson(verification.target, verification.targetJson))).toBe(target.replaceAll(", ", ","));
});

test("H10: a sentence shows numbers as they were written", () => {
  const verification = judge(
    { source: "jsonPath", property: "$.v", comparison: "equals", target: 2, targetJson: "2.0" },
    { response: { body: '{"v":1.50}' } },
  );
  expect(verification.message).toBe("$.v: expected 2.0, found 1.50.");
});

test("a target whose text is not JSON is not judged", () => {
  const verification = judge({ source: "jsonPath", property: "$", comparison: "equals", target: 2, targetJson: "{" });
  expect(verification).toMatchObject({ outcome: "errored", code: "invalid_assertion" });
});

test("H10: 1e400 is larger than any other number, not infinite", () => {
  const response = { body: '{"value":1e400}' };
  const of = (comparison: Comparison, target: unknown) =>
    judge({ source: "jsonPath", property: "$.value", comparison, target }, { response });
  expect(of("greaterThan", Number.MAX_SAFE_INTEGER).outcome).toBe("passed");
  expect(of("hasType", "number").outcome).toBe("passed");
});

test("H10: a response nested 100,000 levels deep can't be judged, and the result says so", () => {
  const body = "[".repeat(100_000) + "]".repeat(100_000);
  expect(judge({ source: "jsonPath", property: "$[0]", comparison: "exists" }, { response: { body } })).toMatchObject({
    outcome: "errored",
    code: "body_too_deep",
    message: "The JSON is nested deeper than 500 levels.",
  });
});

test("H10: __proto__ and duplicate members are compared as data", () => {
  const response = { body: '{"__proto__":{"a":1},"b":1,"b":2}' };
  const of = (property: string, target: unknown) =>
    judge({ source: "jsonPath", property, comparison: "equals", target }, { response }).outcome;
  expect(of("$['__proto__'].a", 1)).toBe("passed");
  expect(of("$.b", 2)).toBe("passed");
  expect(of("$.constructor", 1)).toBe("failed");
});

const response: Parameters<typeof itemWith>[0] = {
  response: {
    status: 404,
    url: "http://api.test/home",
    headers: [
      ["Content-Type", "text/html"],
      ["X-Count", "12"],
      ["Set-Cookie", "session=a=b; Path=/"],
      ["Set-Cookie", 'theme="dark"'],
      ["Set-Cookie", "session=second"],
    ],
    body: "<h1>No</h1>",
  },
};

test.each<[Assertion, boolean]>([
  [{ source: "statusCode", comparison: "equals", target: 404 }, true],
  [{ source: "statusCode", comparison: "oneOf", target: [200, 404] }, true],
  [{ source: "header", property: "content-TYPE", comparison: "startsWith", target: "text/" }, true],
  [{ source: "header", property: "x-count", comparison: "equals", target: "12" }, true],
  [{ source: "header", property: "x-count", comparison: "equals", target: 12 }, true],
  [{ source: "header", property: "x-count", comparison: "lessThan", target: 13 }, true],
  [{ source: "header", property: "etag", comparison: "exists" }, false],
  [{ source: "header", property: "set-cookie", comparison: "contains", target: "theme" }, true],
  [{ source: "cookie", property: "session", comparison: "equals", target: "second" }, true],
  [{ source: "cookie", property: "theme", comparison: "equals", target: "dark" }, true],
  [{ source: "cookie", property: "Theme", comparison: "exists" }, false],
  [{ source: "body", comparison: "contains", target: "<h1>" }, true],
  [{ source: "body", comparison: "exists" }, true],
  [{ source: "jsonPath", property: "$.id", comparison: "exists" }, false],
  [{ source: "bodySize", comparison: "equals", target: 11 }, true],
  [{ source: "responseTime", comparison: "lessThan", target: 500 }, true],
  [{ source: "url", comparison: "endsWith", target: "/home" }, true],
  [{ source: "certificate", comparison: "exists" }, false],
  [{ source: "certificate", comparison: "greaterThan", target: 14 }, false],
])("%j of a page that was not found: %s", (assertion, passes) => {
  expect(judge(assertion, response).outcome).toBe(passes ? "passed" : "failed");
});

test("a location that was found is reported as a pointer", () => {
  expect(judgeJson({ "a/b": [1] }, "equals", 2, "$['a/b'][0]").pointer).toBe("/a~1b/0");
});

test("a truncated body can't be judged as a whole, but its existence can", () => {
  const cut = { response: { body: '{"a":', truncated: true, bodyBytes: 2_000_000 } };
  const outcome = (assertion: Assertion) => judge(assertion, cut);
  expect(outcome({ source: "body", comparison: "contains", target: "a" })).toMatchObject({ code: "body_truncated" });
  expect(outcome({ source: "jsonPath", property: "$.a", comparison: "exists" }).outcome).toBe("errored");
  expect(outcome({ source: "bodySize", comparison: "lessThan", target: 5 }).outcome).toBe("errored");
  expect(outcome({ source: "schema", comparison: "matchesSchema", target: {} }).outcome).toBe("errored");
  expect(outcome({ source: "body", comparison: "exists" }).outcome).toBe("passed");
  expect(outcome({ source: "statusCode", comparison: "equals", target: 200 }).outcome).toBe("passed");
});

test("a body that is not text can't be judged as text", () => {
  const binary = { response: { body: null, bodyBytes: 500 } };
  expect(judge({ source: "body", comparison: "contains", target: "a" }, binary)).toMatchObject({
    code: "body_not_text",
  });
  expect(judge({ source: "bodySize", comparison: "equals", target: 500 }, binary).outcome).toBe("passed");
  expect(judge({ source: "body", comparison: "exists" }, binary).outcome).toBe("passed");
});

const hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

test.each<[Assertion, object, string]>([
  [{ source: "bodySha256", comparison: "equals", target: hash.toUpperCase() }, { bodySha256: hash }, "passed"],
  [{ source: "bodySha256", comparison: "oneOf", target: [hash, "0"] }, { bodySha256: hash }, "passed"],
  [{ source: "bodySha256", comparison: "notEquals", target: hash }, { bodySha256: hash }, "failed"],
  [{ source: "bodySha256", comparison: "equals", target: hash }, {}, "errored"],
  [{ source: "bodySha256", comparison: "equals", target: hash }, { truncated: true }, "errored"],
  [
    { source: "charset", comparison: "equals", target: "UTF-8" },
    { headers: [["Content-Type", 'text/csv; Charset="utf-8"']] },
    "passed",
  ],
  [{ source: "charset", comparison: "exists" }, { headers: [["Content-Type", "text/csv"]] }, "failed"],
  [{ source: "charset", comparison: "notExists" }, { headers: [] }, "passed"],
])("%j of a body that need not be text is %s", (assertion, response, outcome) => {
  expect(judge(assertion, { response: { body: null, bodyBytes: 500, ...response } }).outcome).toBe(outcome);
});

test("O08: a pattern that RE2 lacks is reported as unsupported", () => {
  expect(judge({ source: "body", comparison: "matches", target: "(?<=a)b" })).toMatchObject({
    outcome: "errored",
    code: "unsupported_pattern",
    message: "Unsupported pattern: lookbehind is not supported.",
  });
});

test("a target or property that does not fit can't be judged, whichever way it got in", () => {
  const errored: Assertion[] = [
    { source: "statusCode", comparison: "lessThan", target: "many" },
    { source: "statusCode", comparison: "between", target: 5 },
    { source: "statusCode", comparison: "equals" },
    { source: "body", comparison: "startsWith", target: 1 },
    { source: "jsonPath", property: "items", comparison: "exists" },
    { source: "schema", comparison: "matchesSchema", target: 5 },
  ];
  for (const assertion of errored) expect(judge(assertion)).toMatchObject({ code: "invalid_assertion" });
});

test("the stored form of a large value is short and says so", () => {
  const list = Array.from({ length: 100_000 }, (_, index) => index);
  const judged = judgeJson({ value: { text: "x".repeat(5_000), list } }, "exists");
  const kept = judged.actual as { text: string; list: unknown[] };
  expect(kept.text).toHaveLength(1_001);
  expect(kept.list.length).toBeLessThan(210);
  expect(kept.list.at(-1)).toMatch(/^… \d+ more$/);
});

test("the stored form of many long texts is bounded in total", () => {
  const kept = judgeJson({ value: Array.from({ length: 150 }, () => "x".repeat(900)) }, "exists").actual;
  expect(JSON.stringify(kept).length).toBeLessThan(16_000);
});
