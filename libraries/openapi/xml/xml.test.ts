import fc from "fast-check";
import { expect, test } from "vitest";
import { parseXml } from "../../xpath/document.ts";
import { readXml } from "./read-xml.ts";
import { writeXml } from "./write-xml.ts";

const components: Record<string, object> = {
  "#/components/schemas/Tag": { type: "object", properties: { id: { type: "integer" }, label: { type: "string" } } },
};
const source = { find: (reference: string) => components[reference] };
const text = { type: "string" };
const integer = { type: "integer" };
const listOf = (items: object, xml?: object) => ({ type: "array", items, ...(xml ? { xml } : {}) });
const write = (value: unknown, properties: object, xml: object = { name: "book" }) =>
  writeXml(value, { type: "object", properties, xml }, source)
    .split("\n")
    .slice(1)
    .map((line) => line.trim())
    .join("");

test.each<[string, unknown, object, string]>([
  ["a member is an element", { id: 1 }, { id: integer }, "<book><id>1</id></book>"],
  ["names are those of xml", { id: 1 }, { id: { ...integer, xml: { name: "key" } } }, "<book><key>1</key></book>"],
  ["an attribute", { id: 1, a: "b" }, { id: { xml: { attribute: true } } }, '<book id="1"><a>b</a></book>'],
  ["an attribute by nodeType of 3.2", { id: 1 }, { id: { xml: { nodeType: "attribute" } } }, '<book id="1"/>'],
  [
    "a text by nodeType",
    { id: 1, t: "a<b" },
    { id: { xml: { attribute: true } }, t: { xml: { nodeType: "text" } } },
    '<book id="1">a&lt;b</book>',
  ],
  ["a list", { a: ["x", "y"] }, { a: listOf(text) }, "<book><a>x</a><a>y</a></book>"],
  [
    "a list whose items have a name",
    { a: ["x"] },
    { a: listOf({ ...text, xml: { name: "i" } }) },
    "<book><i>x</i></book>",
  ],
  [
    "a wrapped list",
    { a: ["x"] },
    { a: listOf({ ...text, xml: { name: "i" } }, { wrapped: true }) },
    "<book><a><i>x</i></a></book>",
  ],
  [
    "a wrapped list of its own name",
    { a: ["x"] },
    { a: listOf(text, { wrapped: true, name: "all" }) },
    "<book><all><all>x</all></all></book>",
  ],
  [
    "a prefix and a namespace",
    { a: "x" },
    { a: { ...text, xml: { prefix: "s", namespace: "urn:s" } } },
    '<book><s:a xmlns:s="urn:s">x</s:a></book>',
  ],
  [
    "an object in a component",
    { tag: { id: 1 } },
    { tag: { $ref: "#/components/schemas/Tag" } },
    "<book><tag><id>1</id></tag></book>",
  ],
  ["what has to be escaped", { "a b": '<&">' }, {}, '<book><a_b>&lt;&amp;"&gt;</a_b></book>'],
])("XML is written from a schema: %s", (_, value, properties, xml) => {
  expect(write(value, properties)).toBe(xml);
});

test("the root is named by its component where xml has no name, and a list at the root has its items below", () => {
  const $ref = "#/components/schemas/Tag";
  expect(writeXml({ id: 1 }, { $ref }, source)).toContain("<Tag>");
  expect(writeXml([{ id: 1 }], { ...listOf({ $ref }), xml: { name: "tags" } }, source)).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<tags>\n  <tags>\n    <id>1</id>\n  </tags>\n</tags>',
  );
});

test("what is written is read back as the same value, whatever its texts", () => {
  const schema = {
    type: "object",
    required: ["list"],
    properties: {
      id: { ...integer, xml: { attribute: true } },
      name: { ...text, xml: { name: "title" } },
      list: listOf({ ...text, xml: { name: "one" } }),
      wrapped: listOf(integer, { wrapped: true }),
      tag: { $ref: "#/components/schemas/Tag" },
    },
    xml: { name: "thing" },
  };
  // XML reads a carriage return as a line break, and has no form for control characters.
  const anyText = fc.string({ unit: "binary" }).map((one) => one.replace(/[^\t\n\u0020-\ud7ff\ue000-\ufffd]/gu, ""));
  const value = fc.record({
    id: fc.integer(),
    name: anyText,
    list: fc.array(anyText, { maxLength: 3 }),
    wrapped: fc.array(fc.integer(), { maxLength: 3 }),
    tag: fc.record({ id: fc.integer(), label: anyText }),
  });
  fc.assert(
    fc.property(value, (one) => {
      const { documentElement } = parseXml(writeXml(one, schema, source)).root;
      expect(readXml(documentElement!, schema, source)).toEqual(one);
    }),
    { numRuns: 100 },
  );
});
