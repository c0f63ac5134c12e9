import { expect, test } from "vitest";
import { createMarkupReader } from "../../xpath/document.ts";
import { JudgedResponse } from "../judged-response.ts";
import { createAjvValidator } from "../schema/ajv-validator.ts";
import { itemWith, operationWith, responseDocumented } from "../testing/items.ts";
import { judgeCheck } from "./judge-check.ts";

type Schema = Record<string, unknown>;

const validator = createAjvValidator();

/** Judges a body of this type by the schema documented for it. */
function judge(mediaType: string, schema: Schema, body: string, documented = mediaType) {
  const content = [{ mediaType: documented, schema, examples: [] }];
  const operation = operationWith(
    { responses: [responseDocumented("200", { content })] },
    { specificationVersion: "3.2", components: { "#/components/schemas/Pet": pet } },
  );
  const item = itemWith({ response: { headers: [["Content-Type", mediaType]], body } });
  return judgeCheck(
    "response_schema_conformance",
    new JudgedResponse(item, operation, createMarkupReader()),
    validator,
  );
}

const integer = { type: "integer" };
const pet: Schema = {
  type: "object",
  required: ["name"],
  properties: {
    id: { ...integer, xml: { attribute: true } },
    name: { type: "string" },
    photos: { type: "array", items: { type: "string", xml: { name: "photo" } }, xml: { wrapped: true } },
    tags: { type: "array", items: { ...integer, xml: { name: "tag" } } },
  },
  xml: { name: "pet" },
};
const listOf = (items: Schema) => ({ type: "array", items });
const item = { type: "object", required: ["id"], properties: { id: integer } };
const event = {
  type: "object",
  required: ["event"],
  properties: { event: { const: "added" }, data: { type: "string" } },
};

test.each<[string, Schema, string, string]>([
  ["text/plain", { type: "string", maxLength: 3 }, "abc", "passed"],
  ["text/plain", { type: "string", maxLength: 3 }, "abcd", "failed"],
  ["text/plain; charset=utf-8", integer, "12", "passed"],
  ["text/plain", integer, "many", "failed"],
  ["text/csv", { type: "string", pattern: "^id,name" }, "name,id", "failed"],
  ["application/x-www-form-urlencoded", item, "id=5", "passed"],
  ["application/x-www-form-urlencoded", item, "id=five", "failed"],
  ["application/x-www-form-urlencoded", { type: "object", properties: { a: listOf(integer) } }, "a=1&a=2", "passed"],
  ["application/x-ndjson", listOf(item), '{"id":1}\n{"id":"2"}\n', "failed"],
  ["application/x-ndjson", item, '{"id":1}\n{"id":2}\n', "passed"],
  ["application/x-ndjson", { ...listOf(item), minItems: 2 }, '{"id":1}\n', "failed"],
  ["application/json-seq", item, '\x1e{"id":"1"}\n', "failed"],
  ["text/event-stream", item, 'data: {"id":1}\n\n', "passed"],
  ["text/event-stream", item, 'data: {"id":"1"}\n\n', "failed"],
  ["text/event-stream", listOf(event), 'event: added\ndata: {"id":1}\n\n', "passed"],
  ["text/event-stream", listOf(event), "event: removed\ndata: 1\n\n", "failed"],
  ["application/xml", pet, '<pet id="1"><name>Rex</name><photos><photo>a</photo></photos><tag>1</tag></pet>', "passed"],
  ["application/problem+xml", pet, "<pet><name>Rex</name><photos/></pet>", "passed"],
  ["application/xml", pet, '<pet id="one"><name>Rex</name></pet>', "failed"],
  ["application/xml", pet, "<pet><tag>1</tag><tag>two</tag><name>Rex</name></pet>", "failed"],
  ["application/xml", pet, "<pet/>", "failed"],
  ["application/xml", pet, "<dog><name>Rex</name></dog>", "failed"],
  ["application/xml", pet, "<pet>", "failed"],
  ["text/xml", { type: "string", minLength: 10 }, "<a/>", "failed"],
  ["image/png", { type: "string", format: "binary" }, "png", "skipped"],
  ["text/plain", item, "5", "skipped"],
  ["multipart/mixed", item, "--a", "skipped"],
])("%s by %j: %s is %s", (mediaType, schema, body, outcome) => {
  const judged = judge(mediaType, schema, body);
  expect([judged.outcome, judged.passed]).toEqual([outcome, outcome === "passed"]);
  if (outcome === "skipped") expect(judged.message).toMatch(/^Not evaluated: /);
});

test("a documented wildcard is judged by the type that came", () => {
  expect(judge("application/json", item, '{"id":"1"}', "*/*").outcome).toBe("failed");
  expect(judge("text/plain", { type: "string", maxLength: 1 }, "ab", "text/*").outcome).toBe("failed");
});

test("the item of a stream and the element that differ are named", () => {
  expect(judge("application/x-ndjson", listOf(item), '{"id":1}\n{"id":"2"}\n')).toMatchObject({
    message: 'Item 2 is not as its schema describes. $.id: expected a whole number, found "2" (a string).',
    pointer: "/1/id",
    schemaErrors: [{ schemaPointer: expect.stringMatching(/x-ndjson\/itemSchema\/properties\/id\/type$/) }],
  });
  expect(judge("application/xml", { $ref: "#/components/schemas/Pet" }, "<pet><name/><tag>x</tag></pet>").message).toBe(
    'The body is not as its schema describes. $.tags[0]: expected a whole number, found "x" (a string).',
  );
  expect(judge("application/xml", pet, "<dog/>").message).toBe("Expected the root element pet, found dog.");
});
