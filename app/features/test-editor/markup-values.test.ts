import fc from "fast-check";
import { expect, test } from "vitest";
import type { ReceivedResponse } from "#contracts/test-executioner/attempts.ts";
import { parseXml } from "#libraries/xpath/document.ts";
import { parseXPath, selectByXPath } from "#libraries/xpath/xpath.ts";
import type { MarkupValue } from "./markup-value.ts";
import { readMarkupValues } from "./markup-values.server.ts";

function respond(body: string, type = "application/xml", truncated = false): ReceivedResponse {
  return { body, truncated, headers: [["Content-Type", type]] } as unknown as ReceivedResponse;
}

const listAll = (value: MarkupValue | undefined): MarkupValue[] =>
  value ? [value, ...value.children.flatMap(listAll)] : [];
const read = (body: string) =>
  listAll(readMarkupValues(respond(body))).flatMap(({ xPath, text }) => (text === null ? [] : [[xPath, text]]));
const selected = (xPath: string, body: string) => {
  const found = selectByXPath(parseXPath(xPath), parseXml(body));
  return found.kind === "nodes" ? found.values : [found.value];
};

test("elements and attributes with text are values, elements of one name by their positions", () => {
  expect(read('<pets total="2"><pet id="7">Rex</pet><pet>Tom</pet><note> in\n  stock </note><empty/></pets>')).toEqual([
    ["/pets/@total", "2"],
    ["/pets/pet[1]", "Rex"],
    ["/pets/pet[1]/@id", "7"],
    ["/pets/pet[2]", "Tom"],
    ["normalize-space(/pets/note)", "in stock"],
  ]);
});

test("prefixes of the root are used, and names of other namespaces are found by their local name", () => {
  const soap = '<s:Envelope xmlns:s="urn:s"><s:Body><price xmlns="urn:p">9</price></s:Body></s:Envelope>';
  expect(read(soap)).toEqual([["/s:Envelope/s:Body/*[local-name()='price']", "9"]]);
});

test("only whole XML that can be read has values", () => {
  expect(readMarkupValues(respond("<a>1</a>", "text/html"))).toBeUndefined();
  expect(readMarkupValues(respond("<a>1</a>", "application/xml", true))).toBeUndefined();
  expect(readMarkupValues(respond("<a>1</b>"))).toBeUndefined();
  expect(readMarkupValues(respond("<a>1</a>", "application/problem+xml; charset=utf-8"))).toMatchObject({ text: "1" });
});

test("a document with many values lists the first ones of each level and says how many are left out", () => {
  const values = listAll(readMarkupValues(respond(`<a>${"<b><c>1</c></b>".repeat(400)}</a>`)));
  expect(values).toHaveLength(1 + 50 + 50);
  expect(values[0]!.omitted).toBe(350);
});

const name = fc.constantFrom("a", "b", "p:a", "q:a");
const text = fc.constantFrom("1", " x ", "a &amp; b", "\u00a0y", "line\nbreak", "<![CDATA[<c>]]>");
const { element } = fc.letrec<{ element: string }>((tie) => ({
  element: fc
    .record({
      tag: name,
      declares: fc.constantFrom("", ' xmlns="urn:d"', ' xmlns:q="urn:other"'),
      attribute: fc.constantFrom("", ' id="7"', ' p:id="8"', ' id=" 9 "'),
      content: fc.oneof({ depthSize: "small" }, text, fc.array(tie("element"), { maxLength: 4 })),
    })
    .map(({ tag, declares, attribute, content }) => {
      const inner = Array.isArray(content) ? content.join("\n") : content;
      return `<${tag}${declares}${attribute}>${inner}</${tag}>`;
    }),
}));

test("every value is what its XPath selects, and nothing else", () => {
  fc.assert(
    fc.property(element, (inner) => {
      const body = `<root xmlns:p="urn:p" xmlns:q="urn:q">${inner}</root>`;
      for (const [xPath, value] of read(body)) expect(selected(xPath!, body)).toEqual([value]);
    }),
  );
});
