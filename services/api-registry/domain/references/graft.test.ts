import { expect, test } from "vitest";
import { readDocument } from "../../testing/reading.ts";

async function read(document: string, files: Record<string, string> = {}) {
  const imported = await readDocument({ document, fileName: "api.yaml", files });
  const operations = imported.operations.map(({ described }) => JSON.parse(described));
  return { ...imported, described: operations, messages: imported.problems.map(({ message }) => message) };
}

const head = 'openapi: 3.0.3\ninfo: {title: A, version: "1"}\n';

test("an operation in a separate file is followed, with a warning", async () => {
  const { described, problems, components } = await read(
    `${head}paths:\n  /droplets/{id}:\n    get: {$ref: resources/droplets/get.yaml}\n`,
    {
      "resources/droplets/get.yaml": `operationId: getDroplet
parameters: [{$ref: parameters.yaml#/id}]
responses:
  "200": {description: ok, content: {application/json: {schema: {$ref: models/droplet.yaml}}}}
`,
      "resources/droplets/parameters.yaml": "id: {name: id, in: path, required: true, schema: {type: integer}}",
      "resources/droplets/models/droplet.yaml": "{type: object, properties: {self: {$ref: droplet.yaml}}}",
    },
  );
  expect(described).toMatchObject([
    { operationId: "getDroplet", parameters: [{ name: "id" }], responses: [{ status: "200" }] },
  ]);
  expect(components.map(({ reference }) => reference)).toEqual(["resources/droplets/models/droplet.yaml"]);
  expect(problems).toMatchObject([
    { severity: "warning", line: 5, message: expect.stringContaining('"$ref" has no meaning in an operation') },
  ]);
});

const locations: [where: string, document: string, files: Record<string, string>][] = [
  [
    "the paths object",
    `${head}paths: {$ref: paths/index.yaml}`,
    { "paths/index.yaml": "/a: {$ref: a.yaml}", "paths/a.yaml": "get: {responses: {'200': {description: ok}}}" },
  ],
  [
    "the responses",
    `${head}paths: {/a: {get: {responses: {$ref: responses.yaml}}}}`,
    { "responses.yaml": "{'200': {description: ok}}" },
  ],
  [
    '"parameters"',
    `${head}paths: {/a: {parameters: {$ref: p.yaml}, get: {responses: {'200': {description: ok}}}}}`,
    { "p.yaml": "[{name: q, in: query, schema: {type: string}}]" },
  ],
  [
    "a media type",
    `${head}paths: {/a: {get: {responses: {'200': {description: ok, content: {application/json: {$ref: c.yaml}}}}}}}`,
    { "c.yaml": "{schema: {type: string}}" },
  ],
  [
    "the info object",
    `openapi: 3.0.3\ninfo: {$ref: info.yaml}\npaths: {/a: {get: {responses: {'200': {description: ok}}}}}`,
    { "info.yaml": "{title: A, version: '1'}" },
  ],
  [
    '"description"',
    `${head}paths: {/a: {get: {description: {$ref: a.md}, responses: {'200': {description: ok}}}}}`,
    { "a.md": "# One\n- item: [x" },
  ],
  [
    '"schemas"',
    `${head}paths: {/a: {get: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/P'}}}}}}}}\ncomponents: {schemas: {$ref: s.yaml}}`,
    { "s.yaml": "P: {properties: {$ref: 'p.yaml'}}", "p.yaml": "{a: {type: string}}" },
  ],
];
for (const [where, document, files] of locations) {
  test(`a reference in place of ${where} is followed, with a warning`, async () => {
    const { described, problems, messages } = await read(document, files);
    expect(described).toMatchObject([{ path: "/a", responses: [{ status: "200", description: "ok" }] }]);
    expect(messages.join("\n")).toContain(`"$ref" has no meaning in ${where}`);
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  });
}

test("a problem in an inlined part is reported at its original location", async () => {
  const { problems } = await read(`${head}paths:\n  /a:\n    get: {$ref: get.yaml}\n`, {
    "get.yaml": "summary: A\nresponses:\n  '200': {}\n",
  });
  expect(problems.filter(({ severity }) => severity === "error")).toMatchObject([
    { file: "get.yaml", line: 3, message: expect.stringContaining('"description" is missing') },
  ]);
});

test("a file may reference the main document by its name", async () => {
  const { messages, components } = await read(
    `${head}paths: {/a: {$ref: paths/a.yaml}}\ncomponents: {schemas: {P: {type: object}}}`,
    {
      "paths/a.yaml":
        "get: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '../api.yaml#/components/schemas/P'}}}}}}",
    },
  );
  expect(messages).toEqual([]);
  expect(components.map(({ reference }) => reference)).toEqual(["#/components/schemas/P"]);
});

const circles: [name: string, document: string][] = [
  ["itself", `${head}paths: {/a: {get: {$ref: '#/paths/~1a/get'}}}`],
  ["the path around it", `${head}paths: {/a: {get: {$ref: '#/paths/~1a'}}}`],
  [
    "another one that leads back",
    `${head}paths: {/a: {get: {$ref: '#/paths/~1a/put'}, put: {$ref: '#/paths/~1a/get'}}}`,
  ],
  [
    "an operation that calls back with it",
    `${head}paths: {/a: {get: {responses: {'200': {description: ok}}, callbacks: {c: {'{$url}': {post: {$ref: '#/paths/~1a/get'}}}}}}}`,
  ],
];
for (const [name, document] of circles) {
  test(`an operation that references ${name} ends and is reported`, async () => {
    const { messages, inspection } = await read(document);
    expect(inspection.usable).toBe(true);
    expect(messages.join("\n")).toContain("goes round in a circle");
  });
}

test("too many repeated inlined parts are refused", async () => {
  const paths = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [`/${index}`, { get: { $ref: "#/x-operation" } }]),
  );
  const operation = { responses: { "200": { description: "ok" } }, tags: Array(100).fill("a") };
  const { inspection } = await readDocument(
    {
      document: JSON.stringify({
        openapi: "3.0.3",
        info: { title: "A", version: "1" },
        paths,
        "x-operation": operation,
      }),
    },
    { limits: { nodes: 5_000 } },
  );
  expect(inspection).toMatchObject({ usable: false });
  expect(inspection.problems[0]?.message).toContain("more than 5000 values");
});
