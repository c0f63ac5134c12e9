import { expect, test } from "vitest";
import { fixture, fixturesIn } from "../testing/fixtures.ts";
import { readDocument } from "../testing/reading.ts";

/** The expected diagnosis of each broken document: usable or not, the line, words of the message. */
const flaws: [name: string, usable: boolean, line: number, words: string][] = [
  ["mermade-30fe79e5", true, 10, "Put it in quotes"],
  ["mermade-apimatic-converted-petstore.json", true, 45, 'Use "nullable: true"'],
  ["mermade-cycledef.yaml", false, 1, "a part of an OpenAPI document"],
  ["mermade-hasFlowNotFlows.json", true, 1058, 'it is "flows"'],
  ["mermade-invalidPattern.yaml", true, 11, "not a regular expression: unterminated character class"],
  ["mermade-refAsInteger.yaml", true, 9, '"$ref" has to be a text'],
  ["mermade-serverVariableEnumType.yaml", true, 15, 'Put it in quotes: "3"'],
  ["oai31-example-examples.yaml", true, 14, '"example" and "examples" are both given'],
  ["oai31-parameter-object-path-allowReserved.yaml", true, 10, "only query parameters"],
  ["oai31-server_enum_empty.yaml", true, 13, "is empty"],
  ["oai31-unknown_container.yaml", false, 8, '"overlays" is no field'],
  ["oai32-path-item-object-conflicting", true, 37, '"POST" has a field of its own'],
  ["openapi-vue-openapi.json", true, 131, '"produces" is no field'],
  ["readme-array-no-items.yaml", true, 11, 'needs "items"'],
  ["readme-duplicate-operation-ids.yaml", true, 14, "belongs to GET /users already"],
  ["readme-file-body-param.yaml", true, 16, 'in: "formData"'],
  ["readme-file-no-consumes.yaml", true, 16, 'consumes: ["multipart/form-data"]'],
  ["readme-invalid-no-slash-paths.json", true, 8, 'a path has to start with "/"'],
  ["readme-invalid-response-code.yaml", true, 10, '"foobar" is not a valid name here'],
  ["readme-invalid-security-scheme.yaml", true, 18, '"mutualTLS" came with OpenAPI 3.1'],
  ["readme-invalid-x-extension-root.yaml", true, 13, 'start its name with "x-"'],
  ["readme-newer-version.yaml", false, 1, "There is no Swagger 3.0"],
  ["readme-no-paths-or-webhooks.yaml", false, 1, "describes nothing"],
  ["readme-non-required-path-param.yaml", true, 13, 'needs "required: true"'],
  ["readme-not-swagger.yaml", false, 1, "looks like a JSON Schema"],
  ["readme-numeric-version.yaml", true, 1, 'in quotes: swagger: "2.0"'],
  ["readme-parameter-content-and-schema.yaml", true, 10, 'both "schema" and "content"'],
  ["readme-path-param-no-placeholder.yaml", true, 36, "is nowhere in the path"],
  ["readme-required-property-not-defined-definitions.yaml", true, 26, '"photoUrls" is required, but'],
];

for (const [name, usable, line, words] of flaws) {
  test(`${name} is diagnosed with a solution and a location`, async () => {
    const { inspection } = await readDocument(fixture("invalid", name));
    expect(inspection.usable).toBe(usable);
    expect(
      inspection.problems
        .filter((problem) => problem.line === line)
        .map(({ message }) => message)
        .join("\n"),
    ).toContain(words);
    expect(inspection.problemCount).toBeGreaterThanOrEqual(inspection.problems.length);
  });
}

for (const name of [
  "mermade-rapid7-html.json",
  "mermade-rapid7-java.json",
  "mermade-rapid7-ruby.json",
  "readme-schema.json",
]) {
  test(`${name} is usable, its texts unchanged`, async () => {
    const document = fixture("invalid", name);
    const { inspection, operations } = await readDocument(document);
    expect(inspection.usable).toBe(true);
    expect(inspection.operationCount).toBe(operations.length);
    expect(inspection.description).toBe(JSON.parse(document.document).info.description ?? "");
  });
}

test("every broken document of the collection is in the table of flaws or among the hostile ones", () => {
  const known = [...flaws.map(([name]) => name), "mermade-rapid7", "readme-schema"];
  const missing = fixturesIn("invalid").filter(({ name }) => !known.some((start) => name.startsWith(start)));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test("a YAML syntax error is reported with line and column", async () => {
  const { inspection } = await readDocument({
    document: "openapi: 3.1.0\ninfo:\n  title: A\n version: 1\n",
    fileName: "a.yaml",
  });
  expect(inspection.usable).toBe(false);
  expect(inspection.problems[0]).toMatchObject({ severity: "error", line: 4 });
});

test("a missing comma in JSON is reported where it is missing", async () => {
  const { inspection } = await readDocument({
    document: '{\n  "openapi": "3.1.0"\n  "info": {}\n}',
    fileName: "a.json",
  });
  expect(inspection.problems[0]).toMatchObject({ line: 3, column: 3, message: expect.stringContaining("no comma") });
});

test("YAML's yes is not true, and the problem says so", async () => {
  const document =
    'openapi: 3.1.0\ninfo: {title: A, version: 1.0}\npaths:\n  /a:\n    get:\n      deprecated: yes\n      responses: {"200": {description: ok}}\n';
  const { inspection } = await readDocument({ document });
  expect(inspection.version).toBe("1.0");
  expect(inspection.problems.map(({ message }) => message)).toContain(
    '"deprecated" has to be true or false, and is a text. Write true instead of yes.',
  );
});

test("an undeclared security scheme, a repeated path and a circle of references are errors", async () => {
  const { inspection } = await readDocument({
    document: JSON.stringify({
      openapi: "3.1.0",
      info: { title: "A", version: "1" },
      security: [{ unknown: [] }],
      paths: { "/a/{x}": {}, "/a/{y}": {} },
      components: { schemas: { A: { $ref: "#/components/schemas/B" }, B: { $ref: "#/components/schemas/A" } } },
    }),
  });
  const messages = inspection.problems.map(({ message }) => message).join("\n");
  expect(messages).toContain('no security scheme "unknown"');
  expect(messages).toContain('"/a/{y}" and "/a/{x}" match the same addresses');
  expect(messages).toContain("goes round in a circle");
});
