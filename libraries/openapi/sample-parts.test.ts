import { expect, test } from "vitest";
import { sampleBody } from "./sample-body.ts";

interface Described {
  schema?: object;
  sample: unknown;
  encoding?: object;
  mediaType?: string;
  version?: string;
  components?: Record<string, object>;
  itemEncoding?: object;
  prefixEncoding?: object[];
}

function getParts({ mediaType = "multipart/form-data", version = "3.2", components, ...content }: Described) {
  const body = sampleBody({ mediaType, ...content }, { components, specificationVersion: version });
  return body.kind === "multipart" ? body.fields : [];
}

const file = "file, application/octet-stream";

/** The media type of a part by its schema: the tables of the Encoding Object of 3.0.4, 3.1.1 and 3.2. */
const defaults: [schema: object, sample: unknown, byVersion: Record<string, string>][] = [
  [{ type: "string" }, "a", { "2.0": "text/plain", "3.0": "text/plain", "3.1": "text/plain", "3.2": "text/plain" }],
  [{ type: "string", format: "uuid" }, "a", { "3.0": "text/plain", "3.1": "text/plain" }],
  [{ type: "string", format: "binary" }, "a", { "2.0": file, "3.0": file, "3.1": file, "3.2": file }],
  [{ type: "file" }, "a", { "2.0": file }],
  [{ type: "string", format: "byte" }, "YQ==", { "3.0": "application/octet-stream", "3.1": "text/plain" }],
  [
    { type: "string", contentEncoding: "base64" },
    "YQ==",
    { "3.1": "application/octet-stream", "3.2": "application/octet-stream" },
  ],
  [{ type: "string", contentMediaType: "image/png" }, "a", { "3.1": "file, image/png", "3.2": "file, image/png" }],
  [{ type: "string", contentMediaType: "image/png", contentEncoding: "base64" }, "YQ==", { "3.1": "image/png" }],
  [{}, "a", { "3.0": "text/plain", "3.1": file, "3.2": file }],
  [{ type: "integer" }, 1, { "3.0": "text/plain", "3.1": "text/plain", "3.2": "text/plain" }],
  [{ type: "boolean" }, true, { "3.0": "text/plain", "3.2": "text/plain" }],
  [{ type: ["string", "null"] }, "a", { "3.1": "text/plain" }],
  [{ type: "object" }, { a: 1 }, { "2.0": "application/json", "3.0": "application/json", "3.2": "application/json" }],
  [{ $ref: "#/components/schemas/Pet" }, { a: 1 }, { "3.0": "application/json", "3.1": "application/json" }],
  [{ $ref: "#/components/schemas/Photo" }, "a", { "3.0": file, "3.1": file }],
  [{ type: "array", items: { type: "string" } }, ["a"], { "3.0": "text/plain", "3.2": "text/plain" }],
  [
    { type: "array", items: { $ref: "#/components/schemas/Pet" } },
    [{ a: 1 }],
    { "3.0": "application/json", "3.2": "application/json" },
  ],
  [{ type: "array", items: { type: "string", format: "binary" } }, ["a"], { "3.0": file, "3.1": file }],
  [{ type: "array", items: { type: "array" } }, [[1]], { "3.2": "application/json" }],
];

const components = {
  "#/components/schemas/Pet": { type: "object" },
  "#/components/schemas/Photo": { type: "string", format: "binary" },
};

test.each(defaults)("the part of %j has its version's default type", (schema, sample, byVersion) => {
  const found = Object.keys(byVersion).map((version) => {
    const [part] = getParts({
      version,
      components,
      schema: { properties: { part: schema } },
      sample: { part: sample },
    });
    const mediaType = part!.mediaType ?? (part!.file ? "application/octet-stream" : "text/plain");
    return [version, part!.file ? `file, ${mediaType}` : mediaType];
  });
  expect(Object.fromEntries(found)).toEqual(byVersion);
});

test("an encoding's contentType is followed: the first of a list, and one within a range", () => {
  const typeOf = (contentType: string, schema: object = { type: "string" }) => {
    const given = { encoding: { part: { contentType } }, schema: { properties: { part: schema } } };
    return getParts({ ...given, sample: { part: "a" } })[0]!.mediaType;
  };
  expect(typeOf("image/png, image/jpeg")).toBe("image/png");
  expect(typeOf("image/*, image/jpeg")).toBe("image/jpeg");
  expect(typeOf("image/*")).toBe("image/png");
  expect(typeOf("*/*", { type: "string", format: "binary" })).toBeUndefined();
  expect(typeOf("application/*", { type: "string", format: "binary" })).toBeUndefined();
  expect(typeOf("text/plain; charset=utf-8")).toBe("text/plain; charset=utf-8");
  expect(getParts({ sample: { part: "a" }, encoding: { part: { contentType: "application/json" } } })[0]).toMatchObject(
    {
      value: '"a"',
      mediaType: "application/json",
    },
  );
});

test("a part has the headers that its encoding describes: required ones and those with a value", () => {
  const headers = {
    "X-Rotate": { schema: { type: "integer", default: 90 } },
    "X-Needed": { required: true, schema: { type: "string", minLength: 2 } },
    "X-Example": { example: "a\n b" },
    "X-Unknown": { schema: { type: "string" } },
    "Content-Type": { example: "image/gif" },
  };
  const [part] = getParts({ sample: { part: "a" }, encoding: { part: { headers } } });
  expect(part!.headers!.map(({ name }) => name)).toEqual(["X-Rotate", "X-Needed", "X-Example"]);
  expect(part!.headers).toContainEqual({ name: "X-Rotate", value: "90" });
  expect(part!.headers).toContainEqual({ name: "X-Example", value: "a b" });
});

test("a text that is encoded says how", () => {
  const schema = { properties: { part: { type: "string", contentEncoding: "base64url" } } };
  expect(getParts({ schema, sample: { part: "YQ" } })).toEqual([
    {
      ...{ name: "part", value: "YQ", file: false, mediaType: "application/octet-stream" },
      headers: [{ name: "Content-Transfer-Encoding", value: "base64url" }],
    },
  ]);
});

test("a style is followed in forms of 2.0 and from 3.1 on, and ignored in 3.0 and in other kinds", () => {
  const list = { sample: { list: [1, 2] }, encoding: { list: { style: "form", explode: false } } };
  const values = (more: Partial<Described>) => getParts({ ...list, ...more }).map(({ value }) => value);
  expect(values({ version: "2.0" })).toEqual(["1,2"]);
  expect(values({ version: "3.0" })).toEqual(["1", "2"]);
  expect(values({ version: "3.1" })).toEqual(["1,2"]);
  expect(values({ version: "3.2", mediaType: "multipart/mixed" })).toEqual(["1", "2"]);
});

test("parts by position have no name, and the type of their position", () => {
  const schema = { type: "array", prefixItems: [{ type: "object" }], items: { type: "string" } };
  const positions = { prefixEncoding: [{}], itemEncoding: { contentType: "image/png" } };
  const sample = [{ a: 1 }, "x", "y"];
  expect(getParts({ mediaType: "multipart/related", schema, sample, ...positions })).toEqual([
    { name: "", value: '{"a":1}', file: false, mediaType: "application/json" },
    { name: "", value: "x", file: false, mediaType: "image/png" },
    { name: "", value: "y", file: false, mediaType: "image/png" },
  ]);
});

test("a documented kind with a boundary is sent with a boundary of ours, and a list is no form", () => {
  const kindOf = (mediaType: string) => sampleBody({ mediaType, sample: { a: 1 } }).mediaType;
  expect(kindOf("multipart/form-data; boundary=abc")).toBe("multipart/form-data");
  expect(kindOf('multipart/related; type="application/json"; boundary=x; a b')).toBe(
    'multipart/related; type="application/json"',
  );
  expect(kindOf("multipart/*")).toBe("multipart/form-data");
  expect(getParts({ sample: [1] })).toEqual([]);
});

test("a part whose type is XML is written as its schema says, named by it or by its component", () => {
  const pet = {
    type: "object",
    xml: { name: "pet" },
    properties: { id: { type: "integer", xml: { attribute: true } } },
  };
  const getPart = (schema: object, contentType = "application/xml") =>
    getParts({
      components: { "#/components/schemas/Pet": { type: "object", properties: { id: { type: "integer" } } } },
      schema: { properties: { part: schema } },
      sample: { part: { id: 7 } },
      encoding: { part: { contentType } },
    })[0]!;
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  expect(getPart(pet)).toMatchObject({ mediaType: "application/xml", value: `${head}<pet id="7"/>` });
  expect(getPart({ $ref: "#/components/schemas/Pet" }, "text/xml").value).toBe(`${head}<Pet>\n  <id>7</id>\n</Pet>`);
  expect(getPart({ type: "object" }, "image/svg+xml").value).toContain("<part>");
  expect(getPart(pet, "application/json").value).toBe('{"id":7}');
});

test("a part of a list whose type is XML is one document for each item", () => {
  const parts = getParts({
    schema: { properties: { pets: { type: "array", items: { type: "object" } } } },
    sample: { pets: [{ id: 1 }, { id: 2 }] },
    encoding: { pets: { contentType: "application/xml" } },
  });
  expect(parts.map(({ value }) => value.replace(/\s*\n\s*/g, ""))).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?><pets><id>1</id></pets>',
    '<?xml version="1.0" encoding="UTF-8"?><pets><id>2</id></pets>',
  ]);
});

test("XML that the document gives as a text is sent as it is", () => {
  const given = { schema: { properties: { part: { type: "string" } } }, sample: { part: "<a/>" } };
  expect(getParts({ ...given, encoding: { part: { contentType: "application/xml" } } })[0]!.value).toBe("<a/>");
});
