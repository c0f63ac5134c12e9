import { expect, test } from "vitest";
import type { Assertion, Comparison } from "#contracts/test-registry/assertions.ts";
import { createMarkupReader } from "../../xpath/document.ts";
import { captureValue } from "../capture.ts";
import { isCostly } from "../cost.ts";
import { JudgedResponse } from "../judged-response.ts";
import { itemWith } from "../testing/items.ts";
import { judge } from "../testing/judge.ts";

const soap = `<?xml version="1.0" encoding="UTF-8"?>
<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:p="urn:prices"><s:Body>
<p:Price currency="EUR">34.50</p:Price><p:At>2026-11-27T20:00:00Z</p:At><p:Tag>a</p:Tag><p:Tag>b</p:Tag>
</s:Body></s:Envelope>`;
const xml = { body: soap, headers: [["Content-Type", "application/soap+xml"]] as [string, string][] };
const judgeXml = (property: string, comparison: Comparison, target?: unknown, response: object = xml) =>
  judge({ source: "xPath", property, comparison, target }, { response, receivedAt: "2026-11-27T20:01:00Z" });

test.each<[string, Comparison, unknown, boolean]>([
  ["//p:Price", "equals", "34.50", true],
  ["//p:Price", "equals", 34.5, true],
  ["//p:Price", "greaterThan", 34, true],
  ["//p:Price/@currency", "oneOf", ["EUR", "USD"], true],
  ["//p:Price/@currency", "startsWith", "U", false],
  ["//p:At", "within", ["1 min", "now"], true],
  ["//p:Tag", "equals", ["a", "b"], true],
  ["//p:Tag", "contains", "b", true],
  ["//p:Tag[1]", "contains", "a", true],
  ["count(//p:Tag)", "equals", 2, true],
  ["count(//p:Tag)", "equals", "2", true],
  ["//p:Price > 40", "equals", "false", true],
  ["//s:Fault", "notExists", undefined, true],
  ["//s:Fault", "exists", undefined, false],
  ["/*[local-name()='Envelope']", "exists", undefined, true],
])("the XPath %s %s %j is %s", (property, comparison, target, passes) => {
  expect(judgeXml(property, comparison, target).outcome).toBe(passes ? "passed" : "failed");
});

test.each<[string, object, string]>([
  ["//p:Price", xml, '//p:Price: expected "35", found "34.50".'],
  ["//p:None", xml, '//p:None: expected "35", but there is no such node in the body.'],
  [
    "//a",
    { body: "<r xmlns='urn:r'><a/></r>" },
    '//a: expected "35", but there is no such node in the body; its elements have a namespace, find them by local-name().',
  ],
  ["//a", { body: "" }, '//a: expected "35", but the body is empty.'],
  ["//a", { body: '{"a":1}' }, '//a: expected "35", but the body is not XML: text data outside of root node.'],
])("an XPath that does not hold is described: %s", (property, response, message) => {
  expect(judgeXml(property, "equals", "35", response).message).toBe(message);
});

test("HTML is recognized by its content type or its beginning", () => {
  const body = "<html><p>One<p>Two";
  for (const headers of [[["Content-Type", "text/html; charset=utf-8"]], []]) {
    expect(judgeXml("//p[2]", "equals", "Two", { body, headers }).outcome).toBe("passed");
  }
});

test.each<[string, object, string]>([
  ["//x:a", xml, "invalid_assertion"],
  ["//a[", xml, "invalid_assertion"],
  ["//a", { body: null, bodyBytes: 9 }, "body_not_text"],
  ["//a", { body: "<a>", truncated: true }, "body_truncated"],
  ["//a", { body: `${"<a>".repeat(2_000)}` }, "body_too_deep"],
])("%s of this body can't be judged", (property, response, code) => {
  expect(judgeXml(property, "exists", undefined, response)).toMatchObject({ outcome: "errored", code });
});

test("an XPath captures text", () => {
  const capture = (property: string) =>
    captureValue(
      { name: "value", source: "xPath", property },
      new JudgedResponse(itemWith({ response: xml }), undefined, createMarkupReader()),
    )?.text;
  expect(capture("//p:Price")).toBe("34.50");
  expect(capture("//p:Tag")).toBe('["a","b"]');
  expect(capture("//p:None")).toBeUndefined();
  expect(capture("count(//p:Tag)")).toBe("2");
});

test("H11: an XPath is always judged in the thread", () => {
  const assertion: Assertion = { source: "xPath", property: "/a", comparison: "exists" };
  expect(isCostly(itemWith({ response: { body: "<a/>" }, assertions: [assertion] }), undefined)).toBe(true);
});
