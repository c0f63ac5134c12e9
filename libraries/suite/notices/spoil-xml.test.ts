import {
  assert,
  constantFrom,
  dictionary,
  letrec,
  array as listOf,
  oneof,
  property,
  record,
  string,
  subarray,
} from "fast-check";
import { expect, test } from "vitest";
import type { Assertion, CheckName } from "#contracts/test-registry/assertions.ts";
import { repetitions } from "../../../tests/support/endurance.ts";
import { judgeResponse } from "../../judging/judge-response.ts";
import type { JudgedOperation } from "../../judging/judged-response.ts";
import { createAjvValidator } from "../../judging/schema/ajv-validator.ts";
import { itemWith, operationWith, responseDocumented, responseWith } from "../../judging/testing/items.ts";
import { writeTree } from "../../openapi/xml/write-tree.ts";
import { createMarkupReader } from "../../xpath/document.ts";
import { findNotices, listSpoiled, maxChanges, type NoticesInput } from "./find-notices.ts";

const evaluators = { schemas: createAjvValidator(), markup: createMarkupReader() };
const headers: [string, string][] = [["Content-Type", "application/xml"]];

interface Given {
  body: string;
  operation?: JudgedOperation;
  assertions?: Assertion[];
  checks?: CheckName[];
  earlier?: string[];
  sent?: NoticesInput["sent"];
}

function toInput({ body, operation, assertions = [], checks = [], earlier = [], sent = [] }: Given): NoticesInput {
  const { operation: _, ...recorded } = itemWith({ response: { headers, body }, assertions, checks });
  return { recorded, operation, sent, earlier: earlier.map((one) => responseWith({ headers, body: one })) };
}

const find = (given: Given) => findNotices(toInput(given), evaluators)!;
const missesOf = (given: Given) => new Map(find(given).misses.map((miss) => [miss.phrase, miss]));
const assertionsOf = (given: Given) =>
  Object.fromEntries(
    find(given).misses.flatMap(({ phrase, xPath, assertion }) =>
      xPath ? [[phrase, `${assertion?.property} ${assertion?.comparison}`]] : [],
    ),
  );

const status200: Assertion = { source: "statusCode", comparison: "equals", target: 200 };
const order = `<?xml version="1.0"?><order id="7"><currency>EUR</currency><total>12.50</total>
  <customer><name>Ada</name></customer>
  <line sku="a"><title>Pen</title></line><line sku="b"><title>Ink</title></line></order>`;

test("elements, attributes, texts and lists of an XML body are spoiled, each with an XPath that would notice it", () => {
  expect(assertionsOf({ body: order, assertions: [status200] })).toEqual({
    "@id missing": "/order/@id exists",
    "@id without text": "/order/@id isNotEmpty",
    "a text for @id": "/order/@id matches",
    "currency missing": "/order/currency exists",
    "another currency": "/order/currency equals",
    "currency without text": "/order/currency isNotEmpty",
    "total missing": "/order/total exists",
    "a text for total": "/order/total matches",
    "total without text": "/order/total isNotEmpty",
    "customer missing": "/order/customer exists",
    "customer/name missing": "/order/customer/name exists",
    "another value for customer/name": "/order/customer/name equals",
    "customer/name without text": "/order/customer/name isNotEmpty",
    "none of the elements line": "/order/line exists",
    "the same element line twice": "/order/line[. = preceding-sibling::line] notExists",
    "@sku missing in an element line": "/order/line[not(@sku)] notExists",
    "@sku without text in an element line": "/order/line[normalize-space(@sku)=''] notExists",
    "title missing in an element line": "/order/line[not(title)] notExists",
    "title without text in an element line": "/order/line[normalize-space(title)=''] notExists",
  });
});

test("each listed assertion, once added, turns its miss into something noticed", () => {
  const before = find({ body: order, assertions: [status200] });
  const added = before.misses.flatMap(({ assertion }) => (assertion ? [assertion] : []));
  const after = find({ body: order, assertions: [status200, ...added] });
  expect(after.misses.filter(({ assertion }) => assertion)).toEqual([]);
  expect(after.noticed.length).toBeGreaterThanOrEqual(before.noticed.length + added.length);
});

const documented = operationWith({
  responses: [
    responseDocumented("200", {
      content: [
        {
          mediaType: "application/xml",
          examples: [],
          schema: {
            ...{ type: "object", required: ["id", "total", "line"], xml: { name: "order" } },
            properties: {
              id: { type: "integer", xml: { attribute: true } },
              currency: { type: "string", enum: ["EUR", "USD"] },
              total: { type: "number" },
              note: { type: "string", nullable: true },
              line: {
                type: "array",
                items: { type: "object", required: ["title"], properties: { title: { type: "string" } } },
              },
            },
          },
        },
      ],
    }),
  ],
});

test("what the document says of an XML body is noticed by its check, and what it leaves open is no fault", () => {
  const body = order.replace("<line", "<note>x</note><line");
  const { noticed, misses } = find({ body, operation: documented, checks: ["response_schema_conformance"] });
  expect(noticed.map(({ phrase }) => phrase)).toEqual(
    expect.arrayContaining(["@id missing", "a text for @id", "total missing", "title missing in an element line"]),
  );
  const all = [...noticed, ...misses].map(({ phrase }) => phrase);
  expect(all).not.toContain("currency missing");
  expect(all).not.toContain("note without text");
  const open = missesOf({ body, operation: documented, assertions: [status200] });
  expect(open.get("total missing")!.assertion).toEqual({ source: "schema", comparison: "matchesSchema" });
  expect(open.get("another currency")!.assertion).toMatchObject({ property: "/order/currency", target: "EUR" });
});

test("a list that the document describes is one though a single element came", () => {
  const body = "<order id='1'><total>1</total><line><title>Pen</title></line></order>";
  expect(missesOf({ body, operation: documented, assertions: [status200] }).has("none of the elements line")).toBe(
    true,
  );
});

test("what earlier responses lacked is no miss, and what differed is not expected", () => {
  const earlier = ["<order><total>3</total><line sku='a'/></order>", order];
  const phrases = [...missesOf({ body: order, assertions: [status200], earlier }).keys()];
  expect(phrases).not.toEqual(expect.arrayContaining(["@id missing"]));
  for (const phrase of ["@id missing", "currency missing", "another total", "title missing in an element line"])
    expect(phrases).not.toContain(phrase);
  expect(phrases).toContain("total missing");
});

test("names of namespaces are found by the root's prefixes, or by their local name", () => {
  const body = `<s:a xmlns:s="urn:s" xmlns="urn:d"><s:b s:c="x">one</s:b><d>two</d><e xmlns:n="urn:n"><n:f>three</n:f></e></s:a>`;
  const found = assertionsOf({ body, assertions: [status200] });
  expect(Object.values(found)).toEqual(
    expect.arrayContaining([
      ...["/s:a/s:b exists", "/s:a/s:b/@s:c equals", "/s:a/*[local-name()='d'] equals"],
      "/s:a/*[local-name()='e']/*[local-name()='f'] equals",
    ]),
  );
});

test("a value that the test sends is expected to come back, by its variable", () => {
  const sent = [{ text: "7", target: "{{orderId}}" }];
  const misses = missesOf({ body: order, assertions: [status200], sent });
  expect(misses.get("another value for @id")!.assertion).toEqual({
    ...{ source: "xPath", property: "/order/@id", comparison: "equals", target: "{{orderId}}" },
  });
});

test("a large body is spoiled in at most 60 ways, and a body of more than half a mebibyte as a whole only", () => {
  const lines = (count: number) =>
    `<r>${"<line sku='a'><title>Pen &amp; ink</title><n>1</n></line>".repeat(count)}</r>`;
  const { noticed, misses } = find({ body: lines(2_000), assertions: [status200] });
  expect(noticed.length + misses.length).toBeLessThanOrEqual(maxChanges);
  expect(misses.some(({ xPath }) => xPath === "/r/line/title")).toBe(true);
  expect(find({ body: lines(20_000), assertions: [status200] }).misses.some(({ xPath }) => xPath)).toBe(false);
});

const names = constantFrom("id", "item", "createdAt", "s:x", "n");
const texts = oneof(
  string({ maxLength: 6 }),
  constantFrom("EUR", "12", "true", "2026-01-02T03:04:05Z", 'it\'s "both"', ""),
);
const toXmlText = (text: string) =>
  text.replace(/[^\t\n\u0020-\ud7ff]/g, "").replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);
const { element } = letrec<{ element: string }>((tie) => ({
  element: record({
    name: names,
    attributes: dictionary(constantFrom("id", "s:a", "lang"), texts, { maxKeys: 2 }),
    content: oneof(
      { maxDepth: 2 },
      texts.map(toXmlText),
      listOf(tie("element"), { maxLength: 4 }).map((all) => all.join("")),
    ),
  }).map(({ name, attributes, content }) => {
    const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${toXmlText(value)}"`);
    return `<${name}${written.join("")}>${content}</${name}>`;
  }),
}));
const bodies = listOf(element, { maxLength: 4 }).map((all) => `<root xmlns:s="urn:s">${all.join("")}</root>`);
const read = (xml: string) => writeTree(evaluators.markup.read(xml, false));
const checks = ["response_schema_conformance", "status_code_conformance"] as const;

test("whatever the XML is, each tried change is noticed, or missed, or varies, and a proposal tells the two apart", () => {
  let proposed = 0;
  assert(
    property(bodies, subarray([...checks]), listOf(bodies, { maxLength: 2 }), (body, rules, earlier) => {
      const input = toInput({ body, checks: rules, earlier, assertions: [status200], operation: documented });
      const found = findNotices(input, evaluators);
      if (!found) return;
      const tried = new Map(
        listSpoiled(input, evaluators.markup)
          .slice(0, maxChanges)
          .map((one) => [one.key, one]),
      );
      const listed = [...found.noticed, ...found.misses].map(({ key }) => key);
      expect(new Set(listed).size).toBe(listed.length);
      for (const { key, varies } of tried.values()) if (!varies) expect(listed).toContain(key);
      for (const { key, assertion, xPath } of found.misses) {
        const { response } = tried.get(key)!.spoil();
        if (xPath) expect(read(response.body!)).not.toBe(read(body));
        if (!assertion) continue;
        proposed += 1;
        const only = { ...input.recorded, assertions: [assertion], checks: [], captures: [] };
        const judge = (changes: object) => judgeResponse({ ...only, ...changes }, input.operation, evaluators).verdict;
        expect(judge({})).toBe("passed");
        expect(judge(tried.get(key)!.spoil()), `${key} ${response.body}`).toBe("failed");
      }
    }),
    { numRuns: repetitions(100, 600) },
  );
  expect(proposed).toBeGreaterThan(100);
});
