import { expect, test } from "vitest";
import type { Comparison } from "#contracts/test-registry/assertions.ts";
import { splitJson } from "../../json/json-texts.ts";
import { parseJson } from "../../json/parse-json.ts";
import { judge } from "../testing/judge.ts";

const stream = 'event: created\ndata: {"id": 9007199254740993}\n\ndata: plain\n\n';

test.each<[string, string, string, Comparison, unknown, string]>([
  ["text/event-stream", stream, "$[0].event", "equals", "created", "passed"],
  ["text/event-stream", stream, "$[0].data.id", "equals", parseJson("9007199254740993"), "passed"],
  ["text/event-stream", stream, "$[0].data.id", "equals", parseJson("9007199254740992"), "failed"],
  ["text/event-stream", stream, "$[*].data", "contains", "plain", "passed"],
  ["application/x-ndjson", '{"a":1}\n{"a":2}\n', "$[*].a", "equals", [1, 2], "passed"],
  ["application/json-seq", '\x1e{"a":1}\n', "$[0].a", "equals", 2, "failed"],
  ["application/x-ndjson", '{"a":1}\nbroken\n', "$[0].a", "equals", 1, "failed"],
])("items of %s are a list for JSONPath: %j, %s %s %j %s", (type, body, property, comparison, target, outcome) => {
  const { plain, text } = splitJson(target as never);
  const judged = judge(
    { source: "jsonPath", property, comparison, target: plain, ...(text === undefined ? {} : { targetJson: text }) },
    { response: { body, headers: [["Content-Type", type]] } },
  );
  expect(judged.outcome).toBe(outcome);
  expect(judged).not.toHaveProperty("pointer");
  if (body.includes("broken")) expect(judged.message).toMatch(/Line 2/);
});
