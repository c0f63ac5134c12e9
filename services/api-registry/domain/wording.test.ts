import { expect, test } from "vitest";
import { readDocument } from "../testing/reading.ts";

const info = { title: "A", version: "1" };
const ok = { "200": { description: "ok" } };

async function problemsIn(document: object) {
  const { problems } = await readDocument({ document: JSON.stringify(document) });
  return problems;
}

/** A document, a required message, and a forbidden one. */
const said: [fact: string, document: object, expected: string, never?: RegExp][] = [
  [
    "a discriminator of 3.0 in a document of 2.0",
    { swagger: "2.0", info, paths: {}, definitions: { A: { discriminator: { propertyName: "kind" } } } },
    'has to be the name of a property in OpenAPI 2.0, and is an object. Write discriminator: "kind".',
  ],
  [
    "a discriminator of 2.0 in a document of 3.0",
    { openapi: "3.0.3", info, paths: {}, components: { schemas: { A: { discriminator: "kind" } } } },
    'has to be an object in OpenAPI 3.0: write propertyName: "kind" into it.',
  ],
  [
    "a type beside a response's description in 2.0",
    { swagger: "2.0", info, paths: { "/a": { get: { responses: { "200": { description: "ok", type: "string" } } } } } },
    '"type" is no field of a response in OpenAPI 2.0. Remove it',
    /3\.0 on/,
  ],
  [
    "a range of statuses in 2.0",
    { swagger: "2.0", info, paths: { "/a": { get: { responses: { "2XX": { description: "ok" } } } } } },
    'responses are named by status ("200") or "default", and ranges came with OpenAPI 3.0',
  ],
  [
    "a schema directly in a response of 3.0",
    { openapi: "3.0.3", info, paths: { "/a": { get: { responses: { "200": { description: "ok", schema: {} } } } } } },
    'from OpenAPI 3.0 on it belongs into "content"',
  ],
  [
    "a schema where a parameter is expected",
    {
      openapi: "3.1.0",
      info,
      paths: { "/a": { get: { parameters: [{ $ref: "#/components/schemas/Pet" }], responses: ok } } },
      components: { schemas: { Pet: { type: "object" } } },
    },
    'The reference "#/components/schemas/Pet" leads to a schema, where a parameter is expected.',
    /is missing|no field/,
  ],
  [
    "a part of no kind where a response is expected",
    {
      openapi: "3.1.0",
      info,
      paths: { "/a": { get: { responses: { "200": { $ref: "#/x-parts/Pet" } } } } },
      "x-parts": { Pet: { type: "object", properties: {} } },
    },
    'leads to an object with "type" and "properties", where a response is expected.',
    /is missing|no field/,
  ],
  [
    "two bodies, one of them the path's",
    {
      swagger: "2.0",
      info,
      paths: {
        "/a": {
          parameters: [{ name: "one", in: "body", schema: {} }],
          post: { parameters: [{ name: "two", in: "body", schema: {} }], responses: ok },
        },
      },
    },
    "can have only one body parameter",
  ],
  [
    "a body of the path beside a form of the operation, by reference",
    {
      swagger: "2.0",
      info,
      parameters: { Body: { name: "one", in: "body", schema: {} } },
      paths: {
        "/a": {
          parameters: [{ $ref: "#/parameters/Body" }],
          post: { parameters: [{ name: "two", in: "formData", type: "string" }], responses: ok },
        },
      },
    },
    "can't have both a body parameter and formData parameters",
  ],
  ...["attribute", "wrapped"].map((older): [string, object, string] => [
    `xml with nodeType beside ${older} in 3.2`,
    {
      openapi: "3.2.0",
      info,
      components: { schemas: { A: { type: "string", xml: { nodeType: "attribute", [older]: true } } } },
    },
    `"${older}" can't be used together with "nodeType"`,
  ]),
];
for (const [fact, document, expected, never] of said) {
  test(`${fact}: the message says what to do`, async () => {
    const problems = await problemsIn(document);
    const errors = problems.filter(({ severity }) => severity === "error").map(({ message }) => message);
    expect(errors.join("\n")).toContain(expected);
    expect(errors).toHaveLength(1);
    if (never) expect(errors.join("\n")).not.toMatch(never);
  });
}

test("a body that the operation overrides is one body", async () => {
  const body = { name: "one", in: "body", schema: {} };
  const paths = { "/a": { parameters: [body], post: { parameters: [body], responses: ok } } };
  expect(await problemsIn({ swagger: "2.0", info, paths })).toEqual([]);
});

test("two long paths of one shape are shortened around their difference", async () => {
  const long = `/${"a".repeat(300)}/{`;
  const parameters = ["one", "two"].map((name) => ({ name, in: "path", required: true, schema: {} }));
  const path = (index: number) => ({ get: { parameters: [parameters[index]], responses: ok } });
  const [problem] = await problemsIn({
    openapi: "3.1.0",
    info,
    paths: { [`${long}one}`]: path(0), [`${long}two}`]: path(1) },
  });
  expect(problem?.message).toMatch(/…a+\/\{two\}" and "…a+\/\{one\}" match the same addresses/);
});

test("the same problem in many locations is one problem, with a count and the first locations", async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 498 }, (_, index) => [`p${index}`, { type: "string", nullable: true }]),
  );
  const { inspection } = await readDocument({
    document: JSON.stringify({ openapi: "3.1.0", info, components: { schemas: { A: { properties } } } }, null, 1),
  });
  expect(inspection).toMatchObject({ problemCount: 1, problems: [{ count: 498, line: 13 }] });
  expect(inspection.problems[0]?.otherPlaces?.map(({ line }) => line)).toEqual([17, 21, 25, 29, 33, 37, 41, 45, 49]);
});

test("problems of one kind with different messages are one problem with a general message", async () => {
  const parameters = ["a", "b"].map((name) => ({ name, in: "path", schema: {} }));
  const problems = await problemsIn({
    openapi: "3.1.0",
    info,
    paths: { "/{a}/{b}": { get: { parameters, responses: ok } } },
  });
  expect(problems).toMatchObject([{ message: 'Parameters of the path need "required: true".', count: 2 }]);
});

const spellings: [written: string, name: string][] = [
  ["/users/:id/posts/:post", ":id"],
  ["/users/<int:id>/posts/<post>", "<int:id>"],
  ["/users/[id]/posts/[post]", "[id]"],
  ["/users/{id:[0-9]+}/posts/{post?}", "{id:[0-9]+}"],
];
for (const [path, written] of spellings) {
  test(`the cause is named once and first when path parameters are written as in ${written}`, async () => {
    const parameters = ["id", "post"].map((name) => ({ name, in: "path", required: true, schema: {} }));
    const operation = { summary: 5, parameters, responses: ok };
    const problems = await problemsIn({
      openapi: "3.1.0",
      info,
      paths: { [path]: { get: operation, put: operation }, [`/more${path}`]: { get: operation } },
    });
    expect(problems[0]?.message).toMatch(/written in braces|no place for a value/);
    expect(problems.map(({ message }) => message).join("\n")).not.toMatch(/nowhere in the|describes/);
  });
}

test("a pattern that our engine can't match is a notice, not an error", async () => {
  const patterns = ["^(?=a)b$", "^(?!x)y$", "^(a{1,1000}){20}$", "^[0-9]{1,3}$", `^(${"a".repeat(2_000)})$`];
  const properties = Object.fromEntries(patterns.map((pattern, index) => [`p${index}`, { type: "string", pattern }]));
  const { inspection } = await readDocument({
    document: JSON.stringify({ openapi: "3.1.0", info, components: { schemas: { A: { properties } } } }),
  });
  expect(inspection.problemCount).toBe(0);
  expect(inspection.problems).toMatchObject([
    { severity: "notice", count: 2, message: expect.stringMatching(/can't be checked here.*lookahead/) },
    { severity: "notice", count: 1, message: expect.stringMatching(/can't be checked here/) },
  ]);
});
