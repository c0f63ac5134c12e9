import { expect, test } from "vitest";
import type { Assertion, Comparison } from "#contracts/test-registry/assertions.ts";
import { JudgedResponse } from "../judged-response.ts";
import { createAjvValidator } from "../schema/ajv-validator.ts";
import { itemWith } from "../testing/items.ts";
import { judge } from "../testing/judge.ts";
import { judgeAssertion } from "./judge-assertion.ts";

const receivedAt = "2026-11-27T20:03:00.000Z";

function judgeAt(at: unknown, comparison: Comparison, target: unknown) {
  return judge(
    { source: "jsonPath", property: "$.at", comparison, target },
    { receivedAt, response: { json: { at } } },
  );
}

test.each<[unknown, Comparison, unknown, boolean]>([
  ["2026-11-27T21:02:59+01:00", "before", "now", true],
  ["2026-11-27T21:03:01+01:00", "before", "now", false],
  ["2026-11-27T20:03:00Z", "before", "now", false],
  ["2026-11-27T20:03:00Z", "after", "now", false],
  ["2026-11-27T12:03:01-08:00", "after", "now", true],
  ["2026-11-27", "before", "2026-11-28", true],
  ["2026-11-27", "before", "Fri, 27 Nov 2026 00:00:01 GMT", true],
  [1795809780, "within", ["0 s", "now"], true],
  [1795809780123, "within", ["123 ms", "now"], true],
  [1795809780123, "within", ["122 ms", "now"], false],
  ["2026-11-27T20:03:00.000002Z", "after", "2026-11-27T20:03:00.000001Z", true],
  ["2026-11-27T20:02:00Z", "within", ["1 min", "now"], true],
  ["2026-11-27T20:01:59Z", "within", ["1 min", "now"], false],
  ["2026-11-27T20:04:01Z", "within", ["1 min", "now"], false],
  ["2026-11-27T20:04:01Z", "within", ["1 d", 1795809780], true],
  ["1795809780", "within", ["1 d", "now"], false],
  [null, "before", "now", false],
  ["yesterday", "before", "now", false],
])("%j %s %j is %s", (at, comparison, target, passes) => {
  expect(judgeAt(at, comparison, target).outcome).toBe(passes ? "passed" : "failed");
});

test.each<[string, string, Comparison, unknown, boolean]>([
  ["Last-Modified", "Fri, 27 Nov 2026 20:00:00 GMT", "within", ["3 min", "now"], true],
  ["Expires", "0", "before", "now", true],
  ["Expires", "-1", "after", "now", false],
  ["X-Reset", "1795809781", "after", "now", true],
])("the header %s: %s %s %j is %s", (name, value, comparison, target, passes) => {
  const assertion: Assertion = { source: "header", property: name, comparison, target };
  expect(judge(assertion, { receivedAt, response: { headers: [[name, value]] } }).outcome).toBe(
    passes ? "passed" : "failed",
  );
});

test.each<[unknown, Comparison, unknown, string]>([
  [
    "2026-11-27T21:00:00+01:00",
    "within",
    ["1 min", "now"],
    "$.at: 2026-11-27T21:00:00+01:00 is 3 min before now, at most 1 min allowed.",
  ],
  ["2026-11-27T22:03:00+01:00", "before", "now", "$.at: 2026-11-27T22:03:00+01:00 is 1 h after now, not before it."],
  ["2026-11-27", "after", "2026-11-27", "$.at: 2026-11-27 is the same as 2026-11-27, not after it."],
  [1795809600, "before", "now", "$.at: 1795809600 (2026-11-27T20:00:00Z) is 3 min before now."],
  [
    "yesterday",
    "within",
    ["1 min", "now"],
    '$.at: expected a date within 1 min of now, found "yesterday" (a string), which is not a date.',
  ],
  [undefined, "after", "now", "$.at: expected a date after now, but there is no such place in the body."],
])("%j %s %j is described in plain words", (at, comparison, target, message) => {
  expect(judgeAt(at, comparison, target).message).toBe(message);
});

test.each([
  ["before", "tomorrow"],
  ["within", ["long", "now"]],
  ["within", "now"],
] as const)("a target that is not a date can't be judged: %s %j", (comparison, target) => {
  expect(judgeAt("2026-11-27", comparison, target)).toMatchObject({ outcome: "errored", code: "invalid_assertion" });
});

test("a response whose time is unknown can't be compared with now, but with another date", () => {
  const judgeUntimed = (target: string) =>
    judge({ source: "jsonPath", property: "$.at", comparison: "before", target }, { response: { json: { at: 1 } } });
  expect(judgeUntimed("now")).toMatchObject({ outcome: "errored", code: "time_not_given" });
  expect(judgeUntimed("2026-11-27").outcome).toBe("passed");
});

test("a secret date is not given away by its distance", () => {
  const at = "2026-11-27T21:00:00+01:00";
  const judged = new JudgedResponse(itemWith({ receivedAt, response: { json: { at } } }), undefined);
  judged.hide([{ secret: at }]);
  const assertion: Assertion = { source: "jsonPath", property: "$.at", comparison: "before", target: "now" };
  const { message } = judgeAssertion(assertion, judged, createAjvValidator());
  expect(message).toBe("$.at: expected a date before now, found [secret].");
});
