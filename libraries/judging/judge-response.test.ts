import { expect, test } from "vitest";
import { judgeResponse, noEvaluators } from "./judge-response.ts";
import { itemWith } from "./testing/items.ts";

type Changes = Parameters<typeof itemWith>[0];

function judge(changes: Changes) {
  return judgeResponse(itemWith(changes), undefined, noEvaluators);
}

const right = { source: "statusCode" as const, comparison: "equals" as const, target: 200 };
const wrong = { ...right, target: 201 };
const unjudgeable = { ...right, comparison: "lessThan" as const, target: "x" };

test("everything is evaluated before the verdict", () => {
  const judgement = judge({ assertions: [wrong, right, unjudgeable], checks: ["not_a_server_error"] });
  expect(judgement.verifications.map((one) => one.outcome)).toEqual(["failed", "passed", "errored", "passed"]);
  expect(judgement.verifications.map((one) => one.passed)).toEqual([false, true, false, true]);
});

test("a failed verification makes the verdict failed even when another one could not be judged", () => {
  expect(judge({ assertions: [unjudgeable, wrong] }).verdict).toBe("failed");
});

test("a verification that could not be judged is reported as the cause", () => {
  expect(judge({ assertions: [right, unjudgeable] })).toMatchObject({
    verdict: "errored",
    cause: { code: "invalid_assertion", detail: "statusCode could not be judged: The target is not a number." },
  });
});

test("a skipped verification counts for nothing beside one that was judged", () => {
  const checks = ["response_schema_conformance" as const, "not_a_server_error" as const];
  expect(judge({ checks }).verifications.map((one) => one.outcome)).toEqual(["skipped", "passed"]);
  expect(judge({ checks }).verdict).toBe("passed");
  expect(judge({ assertions: [right], checks: ["ignored_auth"] }).verdict).toBe("passed");
});

test("a test of which nothing was judged has not passed, and says why nothing was", () => {
  const judgement = judge({ checks: ["response_schema_conformance", "ignored_auth"] });
  expect(judgement.verifications.map((one) => one.outcome)).toEqual(["skipped", "skipped"]);
  expect(judgement).toMatchObject({
    verdict: "errored",
    cause: {
      code: "nothing_judged",
      detail: "Nothing was judged. response_schema_conformance: The operation is not in the document.",
      phase: "judging",
    },
  });
});

test("a test that expects nothing passes by an answer", () => {
  expect(judge({}).verdict).toBe("passed");
});

test("captures store strings as they are, everything else as JSON, and from a body the group that a pattern matches", () => {
  const { captured } = judge({
    response: {
      body: '{"token":"abc","id":9007199254740993,"tags":["a"],"none":null}',
      headers: [
        ["X-Id", "7"],
        ["Set-Cookie", "s=1"],
      ],
    },
    captures: [
      { name: "token", source: "jsonPath", property: "$.token" },
      { name: "id", source: "jsonPath", property: "$.id" },
      { name: "tags", source: "jsonPath", property: "$.tags" },
      { name: "none", source: "jsonPath", property: "$.none" },
      { name: "firstTag", source: "jsonPath", property: "$.tags[?@ == 'a']" },
      { name: "missing", source: "jsonPath", property: "$.missing" },
      { name: "header", source: "header", property: "x-id" },
      { name: "cookie", source: "cookie", property: "s" },
      { name: "status", source: "statusCode" },
      { name: "word", source: "body", property: '"token":"(\\w+)"' },
      { name: "number", source: "body", property: "\\d+" },
      { name: "nowhere", source: "body", property: "xyz(.)" },
      { name: "lookahead", source: "body", property: "a(?=b)" },
    ],
  });
  expect(captured).toEqual({
    token: "abc",
    id: "9007199254740993",
    tags: '["a"]',
    none: "null",
    firstTag: "a",
    header: "7",
    cookie: "1",
    status: "200",
    word: "abc",
    number: "9007199254740993",
  });
});

test("of an incomplete response, what its head answers is judged and captured, and nothing is said of its whole body", () => {
  const { verifications, captured } = judge({
    response: { incomplete: true, body: '{"token":"abc","na', headers: [["X-Id", "7"]] },
    assertions: [
      { source: "statusCode", comparison: "equals", target: 200 },
      { source: "header", property: "x-id", comparison: "equals", target: "8" },
      { source: "body", comparison: "exists" },
      { source: "body", comparison: "contains", target: "token" },
      { source: "jsonPath", property: "$.token", comparison: "exists" },
      { source: "bodySize", comparison: "lessThan", target: 100 },
      { source: "responseTime", comparison: "lessThan", target: 100 },
      { source: "responseTime", comparison: "lessThan", target: 200 },
      { source: "responseTime", comparison: "greaterThan", target: 100 },
      { source: "schema", comparison: "matchesSchema", target: {} },
    ],
    checks: ["not_a_server_error", "max_response_time"],
    maximumResponseMilliseconds: 120,
    captures: [
      { name: "id", source: "header", property: "x-id" },
      { name: "token", source: "body", property: '"token":"(\\w+)"' },
      { name: "path", source: "jsonPath", property: "$.token" },
    ],
  });
  expect(verifications.map(({ source, outcome }) => [source, outcome])).toEqual([
    ["statusCode", "passed"],
    ["header", "failed"],
    ["body", "passed"],
    ["body", "errored"],
    ["jsonPath", "errored"],
    ["bodySize", "errored"],
    ["responseTime", "failed"],
    ["responseTime", "errored"],
    ["responseTime", "passed"],
    ["schema", "errored"],
    ["not_a_server_error", "passed"],
    ["max_response_time", "errored"],
  ]);
  expect(verifications[3]?.message).toBe("The body is incomplete, so it can't be judged as a whole.");
  expect(captured).toEqual({ id: "7" });
});

test("whether a response that failed before its body has one is not known", () => {
  const assertions = [{ source: "body" as const, comparison: "notExists" as const }];
  const { verifications } = judge({ response: { incomplete: true, body: "" }, assertions });
  expect(verifications[0]?.outcome).toBe("errored");
});

test("no pattern captures from the part of a truncated body", () => {
  const captures = [{ name: "word", source: "body" as const, property: "\\w+" }];
  expect(judge({ response: { truncated: true, body: "word" }, captures }).captured).toEqual({});
});

test("no response makes judging throw", () => {
  const judgement = judge({
    response: { body: "\u0000\ud800{", status: 999, headers: [["", ""]] },
    assertions: [
      { source: "header", comparison: "exists" },
      { source: "cookie", comparison: "exists" },
      { source: "jsonPath", comparison: "exists" },
      { source: "url", comparison: "isNull" },
    ],
    checks: ["max_response_time"],
  });
  expect(judgement.verifications.map((one) => one.outcome)).toEqual([
    "passed",
    "failed",
    "errored",
    "failed",
    "errored",
  ]);
});

test("a value longer than the capture limit is not captured, and a secret one has a lower limit", () => {
  const capture = { source: "body" as const, property: undefined };
  const captures = [
    { ...capture, name: "plain" },
    { ...capture, name: "token", secret: true },
  ];
  const namesOf = (characters: number) =>
    Object.keys(judge({ response: { body: "x".repeat(characters) }, captures }).captured);
  expect(namesOf(16_384)).toEqual(["plain", "token"]);
  expect(namesOf(100_000)).toEqual(["plain"]);
  expect(namesOf(100_001)).toEqual([]);
});

test("a pattern takes a part of a header or a cookie, its first group or the whole match", () => {
  const last = "([^/?#]+)/?(?:[?#].*)?$";
  const locations = { "/books/7": "7", "http://api.test/books/7/?a=1#x": "7", "/books/a%20b": "a%20b", "/": undefined };
  for (const [location, id] of Object.entries(locations)) {
    const { captured } = judge({
      response: { headers: [["Location", location]] },
      captures: [{ name: "id", source: "header", property: "location", pattern: last }],
    });
    expect(captured.id, location).toBe(id);
  }
  const { captured, capturedTypes } = judge({
    response: { headers: [["Set-Cookie", "s=user.7; Path=/"]], body: '{"s":"user.7"}' },
    captures: [
      { name: "whole", source: "cookie", property: "s", pattern: "\\d+" },
      { name: "group", source: "cookie", property: "s", pattern: "^(\\w+)\\." },
      { name: "nowhere", source: "cookie", property: "s", pattern: "x" },
      { name: "lookahead", source: "cookie", property: "s", pattern: "u(?=s)" },
      { name: "absent", source: "cookie", property: "t", pattern: ".*" },
      { name: "member", source: "jsonPath", property: "$.s", pattern: "\\d+" },
    ],
  });
  expect(captured).toEqual({ whole: "7", group: "user", member: "user.7" });
  expect(capturedTypes).toEqual({ member: "string" });
});
