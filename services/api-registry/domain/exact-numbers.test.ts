import { expect, test } from "vitest";
import { stringify } from "yaml";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { parseJson } from "#libraries/json/parse-json.ts";
import { createAjvValidator } from "#libraries/judging/schema/ajv-validator.ts";
import { suggestValidCall } from "#libraries/suite/suggestion/valid-call.ts";
import { readDocument } from "../testing/reading.ts";

/** 2^53 + 1: a double rounds it to 9007199254740992. */
const odd = "9007199254740993";

type Version = "2.0" | "3.0" | "3.1" | "3.2";

/** Numbers of 16 digits and more stand as texts in it, since this file has doubles, too. */
function write(document: object, isYaml: boolean): string {
  const text = isYaml ? stringify(document) : JSON.stringify(document);
  return text.replace(/["'](-?\d{16,})["']/g, "$1");
}

const writings: [called: string, isYaml: boolean][] = [
  ["JSON", false],
  ["YAML", true],
];

async function read(content: object, isYaml = false, version = "3.1.0"): Promise<OperationWithComponents> {
  const { schemas = {}, ...operation } = content as { schemas?: object };
  const document = {
    ...{ openapi: version, info: { title: "A", version: "1" }, components: { schemas } },
    paths: { "/a/{id}": { put: { responses: { 200: { description: "ok" } }, ...operation } } },
  };
  const fileName = isYaml ? "openapi.yaml" : "openapi.json";
  const { operations, components } = await readDocument({ document: write(document, isYaml), fileName });
  return {
    apiId: "0198c1f4-7a3e-7c41-9d55-3f0a6b2c8e10",
    specificationVersion: version.slice(0, 3) as Version,
    operation: JSON.parse(operations[0]!.described),
    components: Object.fromEntries(components.map(({ reference, body }) => [reference, JSON.parse(body)])),
    securitySchemes: [],
  };
}

const jsonBody = (media: object) => ({ requestBody: { required: true, content: { "application/json": media } } });

function getBody(described: OperationWithComponents): string {
  const { body } = suggestValidCall(described).test.request;
  return body?.kind === "json" ? body.text.replace(/\s*\n\s*/g, "") : JSON.stringify(body);
}

const object = (serial: object) => ({ type: "object", required: ["serial"], properties: { serial } });

const given: [keyword: string, schema: object][] = [
  ["example", { type: "integer", example: odd }],
  ["examples", { type: "integer", examples: [odd] }],
  ["default", { type: "integer", default: odd }],
  ["enum", { enum: [odd] }],
  ["const", { const: odd }],
  ["minimum and maximum", { type: "integer", minimum: odd, maximum: odd }],
  ["exclusive bounds", { type: "integer", exclusiveMinimum: "9007199254740992", exclusiveMaximum: "9007199254740994" }],
  ["bounds in parts of allOf", { allOf: [{ type: "integer", minimum: odd }, { maximum: odd }] }],
];

test.each(given.flatMap((one) => writings.map((writing) => [...one, ...writing] as const)))(
  "a body has the digits that %s %j has in %s",
  async (_, serial, __, isYaml) => {
    const described = await read(
      { ...jsonBody({ schema: { $ref: "#/components/schemas/Book" } }), schemas: { Book: object(serial) } },
      isYaml,
    );
    expect(getBody(described)).toBe(`{"serial": ${odd}}`);
  },
);

test.each(writings)("an example of a body in %s keeps its digits at any depth, and its strings", async (_, isYaml) => {
  const example = { list: [{ serial: odd, small: 1 }], text: `is ${odd}`, negative: `-${odd}`, price: 1.5 };
  const plain = await read(jsonBody({ example }), isYaml);
  const expected = `{"list": [{"serial": ${odd},"small": 1}],"text": "is ${odd}","negative": -${odd},"price": 1.5}`;
  expect(getBody(plain)).toBe(expected);
  const named = { examples: { one: { value: example } }, schema: { type: "object" } };
  expect(getBody(await read(jsonBody(named), isYaml))).toBe(expected);
  expect(getBody(await read(jsonBody({ schema: { type: "object", example } }), isYaml))).toBe(expected);
});

test("fields of forms and parameters keep their digits", async () => {
  const type = { type: "integer", example: odd };
  const content = { "multipart/form-data": { schema: object(type) } };
  const parameters = [
    { name: "id", in: "path", required: true, schema: type },
    { name: "since", in: "query", required: true, schema: { type: "integer" }, example: odd },
    { name: "X-Ids", in: "header", required: true, schema: { type: "array", items: type } },
  ];
  const { request } = suggestValidCall(await read({ parameters, requestBody: { required: true, content } })).test;
  expect(request.body).toMatchObject({ kind: "multipart", parts: [{ name: "serial", value: odd }] });
  expect([request.pathParameters, request.query, request.headers].map((rows) => rows?.at(-1)?.value)).toEqual([
    odd,
    odd,
    `[${odd}]`,
  ]);
});

test.each<[schema: object, right: string, wrong: string]>([
  [{ const: odd }, odd, "9007199254740992"],
  [{ enum: [1, odd] }, odd, "9007199254740994"],
  [{ type: "integer", minimum: odd }, odd, "9007199254740992"],
  [{ type: "integer", maximum: odd }, odd, "9007199254740994"],
  [{ type: "integer", exclusiveMinimum: odd }, "9007199254740994", odd],
  [{ type: "array", items: { const: odd } }, `[${odd}]`, "[9007199254740992]"],
])("a response is judged by the digits of %j", async (schema, right, wrong) => {
  const responses = { 200: { description: "ok", content: { "application/json": { schema } } } };
  const described = await read({ responses });
  const placed = {
    schema: described.operation.responses[0]!.content[0]!.schema!,
    pointer: "",
    origin: "document" as const,
  };
  const validator = createAjvValidator();
  const isMet = (text: string) => validator.validate(placed, parseJson(text), described).faults.length === 0;
  expect([isMet(right), isMet(wrong)]).toEqual([true, false]);
});

test("descriptions have texts only beside numbers that a double rounds, and none that the document brings", async () => {
  const schema = { type: "number", minimum: 1, maximum: 9007199254740992, "x-exact-numbers": { minimum: "7" } };
  const described = await read(jsonBody({ schema, example: 5 }));
  const text = JSON.stringify(described.operation);
  expect(text).not.toContain("x-exact-numbers");
  expect(text).not.toContain("Json");
  const odder = await read(jsonBody({ schema: { ...schema, maximum: odd } }));
  expect(JSON.stringify(odder.operation)).toContain(`"x-exact-numbers":{"maximum":"${odd}"}`);
});
