import { expect, test } from "vitest";
import { readDocument } from "../../testing/reading.ts";

const info = { title: "A", version: "1" };
const responses = { "200": { description: "ok" } };
const versions = {
  "2.0": { swagger: "2.0" },
  "3.0": { openapi: "3.0.3" },
  "3.1": { openapi: "3.1.0" },
  "3.2": { openapi: "3.2.0" },
};
type Version = keyof typeof versions;

async function problemsIn(version: Version, parts: object): Promise<string[]> {
  const document = JSON.stringify({ ...versions[version], info, paths: {}, ...parts });
  return (await readDocument({ document })).inspection.problems.map(({ message }) => message);
}

/** Each breaks one rule, which is reported. */
type Case = [version: Version, broken: unknown, words: string];

function expectEachReported(
  what: string,
  cases: Case[],
  documentWith: (part: never, version: Version) => object,
): void {
  test.each(cases)(`${what} of %s, %j, is reported`, async (version, part, words) => {
    const problems = await problemsIn(version, documentWith(part as never, version));
    expect(problems.filter((problem) => problem.includes(words))).toHaveLength(1);
  });
}

expectEachReported(
  "a schema",
  [
    ["3.0", true, "A schema has to be an object, and is true"],
    ["3.1", 5, "A schema has to be an object, true or false, and is a number"],
    ["3.0", { $ref: 5 }, '"$ref" has to be a text'],
    ["2.0", { type: ["string"] }, `"type" can't be a list in OpenAPI 2.0`],
    ["3.0", { type: ["string", "null"] }, '"nullable: true" where null is allowed too'],
    ["3.0", { type: "null" }, 'Use "nullable: true"'],
    ["3.1", { type: "int" }, 'Write "integer"'],
    ["3.0", { type: "array" }, 'needs "items" that say of what'],
    ["3.0", { minLength: -1 }, '"minLength" has to be a whole number from 0 up, and is -1'],
    ["3.1", { maxItems: 1.5 }, '"maxItems" has to be a whole number from 0 up, and is 1.5'],
    ["3.1", { minimum: 3, maximum: 2 }, '"minimum" 3 is above "maximum" 2'],
    ["3.0", { maximum: "3" }, '"maximum" has to be a number, and is a text'],
    ["3.0", { multipleOf: 0 }, '"multipleOf" has to be above 0'],
    ["3.0", { exclusiveMinimum: 1 }, 'write "minimum" with the number and "exclusiveMinimum: true"'],
    ["3.1", { exclusiveMaximum: true }, "give the limit itself: exclusiveMaximum: 5"],
    ["3.0", { nullable: "yes" }, '"nullable" has to be true or false, and is a text'],
    ["3.0", { pattern: 5 }, '"pattern" has to be a text, and is a number'],
    ["3.0", { pattern: "[a" }, "is not a regular expression"],
    ["3.0", { enum: "a" }, '"enum" has to be a list of values, and is a text'],
    ["3.0", { enum: [] }, '"enum" is empty, so no value is allowed'],
    ["3.1", { enum: [] }, '"enum" is empty, so no value is allowed'],
    ["3.1", { nullable: true }, 'OpenAPI 3.1 has no "nullable"'],
    ["3.0", { required: true }, "List the names of required properties in the object that has them"],
    ["3.0", { required: [] }, '"required" is empty; OpenAPI 3.0 wants it left out then'],
    ["3.0", { required: [5] }, '"required" lists names of properties, and this is a number'],
    ["3.0", { properties: {}, required: ["a"] }, 'it is not one of the "properties"'],
    ["3.0", { properties: [] }, '"properties" has to be an object of schemas by name, and is a list'],
    ["3.0", { allOf: {} }, '"allOf" has to be a list of schemas, and is an object'],
    ["3.0", { anyOf: [] }, '"anyOf" is empty'],
    ["3.0", { items: [{}] }, '"items" has to be one schema, not a list'],
    ["3.1", { items: [{}] }, '"prefixItems" lists schemas by position'],
    ["3.1", { propertis: {} }, 'Did you mean "properties"?'],
    ["3.0", { if: {} }, `OpenAPI 3.0 does not know "if" in schemas`],
    ["3.0", { unheardOf: 1 }, "is no word of a schema in OpenAPI 3.0"],
    ["3.0", { discriminator: "kind" }, '"discriminator" has to be an object in OpenAPI 3.0'],
    ["2.0", { discriminator: {} }, '"discriminator" has to be the name of a property in OpenAPI 2.0'],
    ["3.2", { xml: { nodeType: "element", wrapped: true } }, `"wrapped" can't be used together with "nodeType"`],
  ],
  (schema, version) =>
    version === "2.0" ? { definitions: { A: schema } } : { components: { schemas: { A: schema } } },
);

const query = { name: "a", in: "query", schema: {} };
expectEachReported(
  "a parameter",
  [
    ["3.0", { name: "a", in: "body", schema: {} }, '"requestBody" of the operation says it'],
    ["3.1", { ...query, in: "querystring" }, '"in" of a parameter has to be'],
    ["3.0", { ...query, style: "matrix" }, "does not exist for query parameters"],
    ["3.0", { ...query, in: "header", allowReserved: true }, "which only query parameters may have"],
    ["3.0", { ...query, content: { "text/plain": {} } }, 'has both "schema" and "content"'],
    ["3.0", { name: "a", in: "query" }, 'needs "schema" (or "content")'],
    ["3.0", { name: "a", in: "query", content: {} }, "needs exactly one media type"],
    ["3.0", { ...query, example: 1, examples: {} }, '"example" and "examples" are both given'],
    ["2.0", { name: "a", in: "body" }, "a body parameter needs it"],
    ["2.0", { name: "a", in: "body", schema: { type: "file" } }, 'write in: "formData" and type: "file"'],
    ["2.0", { name: "a", in: "query" }, '"type" is missing'],
    ["2.0", { name: "a", in: "query", type: "file" }, "The type of this parameter has to be"],
    ["2.0", { name: "a", in: "query", type: "array" }, 'is an array, so it needs "items"'],
    [
      "2.0",
      { name: "a", in: "header", type: "array", items: { type: "string" }, collectionFormat: "multi" },
      '"multi" exists only for',
    ],
  ],
  (parameter) => ({ paths: { "/a": { get: { parameters: [parameter], responses } } } }),
);

expectEachReported(
  "an operation",
  [
    ["3.0", { operationId: "", responses }, '"operationId" is empty; remove it'],
    ["3.0", { responses: {} }, "There is no response; document at least one"],
    ["3.0", { parameters: [query, query], responses }, "is in this list twice; remove one"],
    ["3.0", { parameters: [{ $ref: 5 }], responses }, '"$ref" has to be a text like "#/components/…"'],
    ["3.0", { parameters: [{ $ref: "#/components/parameters/A" }], responses }, "leads nowhere"],
    [
      "3.0",
      { parameters: [{ name: "b", in: "path", required: true, schema: {} }], responses },
      "is nowhere in the path",
    ],
    ["3.0", { security: [{ unknownKey: [] }], responses }, "unknownKey"],
    [
      "2.0",
      { responses: { "200": { description: "ok", headers: { A: { type: "array" } } } } },
      "The header is an array",
    ],
    ["3.0", { responses: { "200": { description: "ok", links: { next: {} } } } }, "to say where it leads"],
    [
      "3.0",
      { responses: { "200": { description: "ok", links: { next: { operationId: "a", operationRef: "b" } } } } },
      '"operationRef" or "operationId", not both',
    ],
    [
      "3.0",
      { requestBody: { content: { "a/b": { examples: { e: { value: 1, externalValue: "http://a" } } } } }, responses },
      '"value" or "externalValue", not both',
    ],
    [
      "3.2",
      { requestBody: { content: { "a/b": { examples: { e: { value: 1, dataValue: 1 } } } } }, responses },
      '"dataValue" and "serializedValue", not both',
    ],
    [
      "3.1",
      { requestBody: { content: { "a/b": { schema: {}, itemSchema: {} } } }, responses },
      '"itemSchema" came with OpenAPI 3.2',
    ],
  ],
  (operation) => ({ paths: { "/a": { get: operation } } }),
);

expectEachReported(
  "a document",
  [
    [
      "3.1",
      { info: { ...info, license: { name: "A", identifier: "MIT", url: "http://a" } } },
      'both "identifier" and "url"',
    ],
    ["3.0", { servers: [{ url: "http://{host}/" }] }, '"variables" does not define it'],
    ["3.0", { servers: [{ url: "http://a/?b" }] }, "has no query and no fragment"],
    [
      "3.0",
      { servers: [{ url: "http://{a}", variables: { a: { default: "b", enum: [] } } }] },
      '"enum" of a server variable is empty',
    ],
    [
      "3.1",
      { servers: [{ url: "http://{a}", variables: { a: { default: "b", enum: [] } } }] },
      '"enum" of a server variable is empty',
    ],
    [
      "3.0",
      { servers: [{ url: "http://{a}", variables: { a: { default: "b", enum: ["c"] } } }] },
      'is not one of its "enum"',
    ],
    ["3.2", { paths: { "/a": { additionalOperations: { GET: { responses } } } } }, "has a field of its own"],
    ["3.2", { paths: { "/a": { additionalOperations: { "A B": { responses } } } } }, "is not a method HTTP can send"],
    ["3.0", { paths: { "/a/{b}": { get: { responses } } } }, "{b}"],
    ["3.0", { paths: { "/a/{b}": {}, "/a/{c}": {} } }, "match the same addresses"],
    ["3.0", { paths: { "/a?b": {} } }, "has a query or fragment in it"],
    ["3.0", { paths: { [`/${"a".repeat(4_000)}`]: {} } }, "so it is left out"],
    ["3.0", { tags: [{ name: "a" }, { name: "a" }] }, "is described twice; keep one"],
    ["3.0", { info: { title: "A" } }, '"version" is missing'],
    ["3.0", { info: { ...info, contact: { email: "a" } } }, "is not an email address"],
    ["3.0", { info: { ...info, contact: { url: "http://a b" } } }, "is not an address"],
    ["2.0", { schemes: ["gopher"] }, 'and is "gopher"'],
    ["3.0", { components: { schemas: { "a b": {} } } }, "can't be used as a name here"],
    [
      "3.0",
      { components: { responses: { A: { $ref: "#/info/title" } } } },
      "leads to a text, where an object is expected",
    ],
    ["3.0", { components: { schemas: { A: { $ref: "#/components/schemas/A" } } } }, "is only a reference back"],
  ],
  (parts) => parts,
);

expectEachReported(
  "a security scheme",
  [
    ["3.0", { type: "basic" }, 'Write type: "http" with scheme: "basic"'],
    ["3.0", { type: "apiKey", in: "header" }, '"name" is missing: a security scheme of type "apiKey" needs it'],
    ["3.0", { type: "oauth2", flows: { password: { scopes: {} } } }, "the password flow needs it"],
    [
      "3.0",
      { type: "oauth2", flows: { password: { tokenUrl: "http://a", scopes: null } } },
      '"scopes" is empty; write {}',
    ],
    ["2.0", { type: "oauth2", flow: "password", scopes: {} }, '"tokenUrl" is missing'],
  ],
  (scheme, version) =>
    version === "2.0" ? { securityDefinitions: { A: scheme } } : { components: { securitySchemes: { A: scheme } } },
);

test.each(Object.keys(versions) as Version[])(
  "a document that follows all rules of %s has no problems",
  async (version) => {
    const type = version === "2.0" ? { type: "string" } : { schema: { type: "string" } };
    const path = { name: "b", in: "path", required: true, ...type };
    const schema = { type: "object", properties: { a: { type: "array", items: {} } }, required: ["a"] };
    const problems = await problemsIn(version, {
      paths: { "/a/{b}": { get: { operationId: "a", parameters: [path], responses } } },
      ...(version === "2.0" ? { definitions: { A: schema } } : { components: { schemas: { A: schema } } }),
    });
    expect(problems).toEqual([]);
  },
);
