import { expect, test } from "vitest";
import { parseHtml, parseXml } from "./document.ts";
import { TooDeepMarkup, UnreadableMarkup } from "./markup.ts";
import { InvalidXPath, parseXPath, selectByXPath } from "./xpath.ts";

const order = `<?xml version="1.0"?>
<o:order xmlns:o="urn:order" xmlns="urn:item" id="7">
  <item sku="a"><name>Pen &amp; ink</name><price>12.5</price></item>
  <item sku="b"><name><![CDATA[<Cup>]]></name><price>3</price></item>
  <o:note>ok</o:note>
</o:order>`;
const plain = "<r><i n='1'>a</i><i n='2'>b<c>d</c></i><e/></r>";

const select = (expression: string, xml: string) => selectByXPath(parseXPath(expression), parseXml(xml));

test.each<[string, string, unknown]>([
  ["/r/i", plain, { kind: "nodes", values: ["a", "bd"] }],
  ["//i[@n='2']/@n", plain, { kind: "nodes", values: ["2"] }],
  ["/r/i[last()]/c/text()", plain, { kind: "nodes", values: ["d"] }],
  ["//c/ancestor::i/preceding-sibling::i", plain, { kind: "nodes", values: ["a"] }],
  ["/r/e", plain, { kind: "nodes", values: [""] }],
  ["/r/none", plain, { kind: "nodes", values: [] }],
  ["//i | //c", plain, { kind: "nodes", values: ["a", "bd", "d"] }],
  ["count(//i)", plain, { kind: "text", value: "2" }],
  ["string(//i)", plain, { kind: "text", value: "a" }],
  ["//i = 'a'", plain, { kind: "text", value: "true" }],
  ["number('x')", plain, { kind: "text", value: "NaN" }],
  ["/o:order/@id", order, { kind: "nodes", values: ["7"] }],
  ["/o:order/o:note", order, { kind: "nodes", values: ["ok"] }],
  ["//item", order, { kind: "nodes", values: [] }],
  ["//*[local-name()='item'][@sku='b']/*[local-name()='name']", order, { kind: "nodes", values: ["<Cup>"] }],
  ["sum(//*[local-name()='price'])", order, { kind: "text", value: "15.5" }],
  ["name(/*)", order, { kind: "text", value: "o:order" }],
])("%s", (expression, xml, expected) => {
  expect(select(expression, xml)).toEqual(expected);
});

test("HTML is read as browsers do", () => {
  const html = parseHtml(
    "<!doctype html><title>Shop</title><p class=a>One<p>Two<table><tr><td>1<td>2</table><IMG SRC=x>",
  );
  const values = (expression: string) => selectByXPath(parseXPath(expression), html);
  expect(values("//p")).toEqual({ kind: "nodes", values: ["One", "Two"] });
  expect(values("/html/head/title")).toEqual({ kind: "nodes", values: ["Shop"] });
  expect(values("//p[@class='a']")).toEqual({ kind: "nodes", values: ["One"] });
  expect(values("//table/tbody/tr/td[2]")).toEqual({ kind: "nodes", values: ["2"] });
  expect(values("//img/@src")).toEqual({ kind: "nodes", values: ["x"] });
});

test.each(["//", "a[", "1 +", ""])("%j is not XPath", (text) => {
  expect(() => parseXPath(text)).toThrow(InvalidXPath);
});

test.each([
  ["//x:a", "The document's root does not declare the prefix x; local-name() needs none."],
  ["lower-case(//i)", "XPath 1.0 has no function lower-case()."],
  ["document('file:///etc/passwd')", "XPath 1.0 has no function document()."],
  ["$id", "The XPath can't be evaluated."],
])("%s can't be evaluated", (expression, message) => {
  expect(() => select(expression, plain)).toThrow(message);
});

test.each([
  "",
  "text",
  "<a>",
  "<a/><b/>",
  "<a>&nbsp;</a>",
  '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
  '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
])("S13: %j is not read, and no entity of a document is", (xml) => {
  expect(() => parseXml(xml)).toThrow(UnreadableMarkup);
});

test("selecting among 20,000 siblings takes time in proportion to them", () => {
  const xml = `<r>${"<i n='1'><a>x</a></i>".repeat(20_000)}</r>`;
  const document = parseXml(xml);
  const selected = selectByXPath(parseXPath("//i[@n='1']/a"), document);
  expect(selected.kind === "nodes" && selected.values.length).toBe(20_000);
});

test("markup is read to 1,000 levels", () => {
  const nested = (levels: number) => `${"<a>".repeat(levels)}x${"</a>".repeat(levels)}`;
  expect(parseXml(nested(1_000)).root.stringValue()).toBe("x");
  expect(() => parseXml(nested(100_000))).toThrow(TooDeepMarkup);
  expect(() => parseHtml("<div>".repeat(2_000))).toThrow(TooDeepMarkup);
});
