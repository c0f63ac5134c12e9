import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../kit/database/database.ts";
import { testEngines } from "../kit/testing/databases.ts";
import { createDocument, reference, smallDocument } from "./testing/fixtures.ts";
import { readDocument } from "./testing/reading.ts";
import { startRegistry } from "./testing/registry.ts";

let database: Database;
let registry: Awaited<ReturnType<typeof startRegistry>>;

beforeAll(async () => {
  database = await testEngines()[0].open();
  registry = await startRegistry(database, { importLimits: { memoryMegabytes: 400, milliseconds: 600_000 } });
});
afterAll(async () => {
  await registry.service.stop();
  await database.close();
});

test("O03: a bomb of YAML aliases is refused while it is small", async () => {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level < 12; level++)
    lines.push(
      `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(", ")}]`,
    );
  const value = await readDocument({ document: lines.join("\n") });
  expect(value.inspection).toMatchObject({
    usable: false,
    problems: [{ message: expect.stringContaining("YAML aliases") }],
  });
});

test("O04: a bomb of merge keys is refused", async () => {
  const lines = ["a0: &a0 {k0: 1}"];
  for (let level = 1; level < 400; level++) {
    lines.push(
      `a${level}: &a${level} {k${level}: 1, <<: [${Array(12)
        .fill(`*a${level - 1}`)
        .join(", ")}]}`,
    );
  }
  const value = await readDocument({ document: lines.join("\n") });
  expect(value.inspection.usable).toBe(false);
});

for (const [name, document] of [
  ["100,000 brackets", "[".repeat(100_000)],
  ["5,000,000 brackets", "[".repeat(5_000_000)],
  ["100,000 objects", '{"a":'.repeat(100_000)],
  ["10,000 flow levels in YAML", `a: ${"[".repeat(10_000)}`],
  ["2,000 levels of indentation", Array.from({ length: 2_000 }, (_, level) => `${" ".repeat(level)}a:`).join("\n")],
  ["100,000 dashes", "- ".repeat(100_000)],
  ["100,000 question marks", "? ".repeat(100_000)],
] as const) {
  test(`O05: ${name} are refused with the location`, async () => {
    const response = await registry.client.registerApi({ body: { source: { document } } });
    expect(response).toMatchObject({ ok: false, status: 422 });
    expect(response.ok ? "" : response.problem.errors?.[0]?.message).toMatch(/^Line \d+, column \d+: .*nested deeper/);
  });
}

for (const [name, usable, document] of [
  [
    "a million paths",
    false,
    `{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{${Array.from({ length: 1e6 }, (_, index) => `"/${index}":{}`).join()}}}`,
  ],
  [
    "100,000 properties",
    true,
    createDocument({
      type: "object",
      properties: Object.fromEntries(Array.from({ length: 1e5 }, (_, index) => [`p${index}`, {}])),
    }),
  ],
  ["a text of 10 MB", true, createDocument({ type: "string", description: "x".repeat(1e7) })],
  ["a name of 1 MB", true, createDocument(reference("k".repeat(1e6)), { ["k".repeat(1e6)]: {} })],
  [
    "a list of a million values",
    true,
    createDocument({ type: "integer", enum: Array.from({ length: 1e6 }, (_, index) => index) }),
  ],
] as const) {
  test(`O06: ${name} ${usable ? "is accepted" : "is refused"}`, async () => {
    const value = await readDocument({ document });
    expect(value.inspection.usable).toBe(usable);
  });
}

test("O06: a document that needs more memory than allowed ends its worker, not the process", async () => {
  const paths = Array.from(
    { length: 15_000 },
    (_, index) =>
      `  /${index}: {get: {responses: {'200': {description: ok, headers: {${Array.from({ length: 20 }, (_, header) => `H${header}: {schema: {type: string}}`).join(", ")}}}}}}`,
  );
  const document = `openapi: 3.1.0\ninfo: {title: A, version: "1"}\npaths:\n${paths.join("\n")}\n`;
  const response = await registry.client.registerApi({ body: { source: { document } } });
  expect(response).toMatchObject({ ok: false, status: 422 });
  expect(response.ok ? "" : response.problem.detail).toContain("more memory");
  const next = await registry.client.inspectDocument({ body: { document: createDocument({}) } });
  expect(next).toMatchObject({ ok: true, value: { usable: true } });
});

test("O07: names of the language's own objects are plain data", async () => {
  const document = `{"openapi":"3.1.0","info":{"title":"A","version":"1"},
    "paths":{"/__proto__":{"get":{"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"$ref":"#/components/schemas/__proto__"}}}}}}},
      "/toString":{"get":{"operationId":"constructor","tags":["__proto__","toString"],"responses":{"200":{"description":"ok"}}}}},
    "components":{"schemas":{"__proto__":{"type":"object","properties":{"__proto__":{"const":{"polluted":true}},"constructor":{"$ref":"#/components/schemas/constructor"}}},
      "constructor":{"properties":{"prototype":{"const":{"polluted":1}}}},"toString":{}}}}`;
  const registered = await registry.client.registerApi({ body: { source: { document } } });
  if (!registered.ok) throw new Error(JSON.stringify(registered.problem));
  const apiId = registered.value.id;
  const opened = await registry.client.getOperation({ params: { apiId, method: "get", pathName: "/__proto__" } });
  if (!opened.ok) throw new Error(JSON.stringify(opened.problem));
  expect(Object.keys(opened.value.components)).toEqual([
    "#/components/schemas/__proto__",
    "#/components/schemas/constructor",
  ]);
  expect(JSON.stringify(opened.value.components)).toContain('"__proto__":{"const":{"polluted":true}}');
  const listed = await registry.client.listOperations({ params: { apiId }, query: { tag: "__proto__" } });
  expect(listed.ok && listed.value.items.map(({ operationId }) => operationId)).toEqual(["constructor"]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test("O07: a duplicate key is reported, and the last one counts", async () => {
  const json = await readDocument({
    document: '{"openapi":"3.1.0","info":{"title":"A","title":"B","version":"1"},\n"paths":{}}',
  });
  const yaml = await readDocument({
    document: 'openapi: 3.1.0\ninfo:\n  title: A\n  title: B\n  version: "1"\npaths: {}\n',
  });
  for (const { inspection } of [json, yaml]) {
    expect(inspection.title).toBe("B");
    expect(inspection.problems[0]?.message).toContain('"title" is given twice');
  }
  expect(yaml.inspection.problems[0]).toMatchObject({ line: 4, column: 3 });
});

for (const pattern of [
  "^(a+)+$",
  "a".repeat(1e6),
  "(?<=a)b",
  "a{1000}{1000}",
  "(a{1000}){1000}",
  "(".repeat(1e5),
  "[",
  "\\p{Nonsense}",
]) {
  test(`O08: the pattern ${pattern.slice(0, 20)} blocks nothing`, async () => {
    const value = await readDocument({ document: createDocument({ type: "string", pattern }) });
    expect(value.inspection.usable).toBe(true);
    const known = value.inspection.problems.some(({ pointer }) => pointer.endsWith("/pattern"));
    expect(known).toBe(pattern !== "^(a+)+$");
  });
}

test("O09: markup and scripts in texts are stored unchanged, as text", async () => {
  const evil = "<img src=x onerror=alert(1)>]]>{{constructor.constructor('alert(1)')()}}";
  const { operations, inspection } = await readDocument({
    document: JSON.stringify({
      ...smallDocument({ info: { title: evil, version: evil, description: evil } }),
      paths: {
        "/a": {
          get: {
            summary: evil,
            tags: [evil],
            externalDocs: { url: "javascript:alert(1)" },
            responses: { "200": { description: evil } },
          },
        },
      },
    }),
  });
  expect([inspection.title, inspection.version, inspection.description]).toEqual([evil, evil, evil]);
  expect(operations[0]).toMatchObject({ summary: evil, tags: [evil] });
  expect(JSON.parse(operations[0]!.described)).toMatchObject({ externalDocs: { url: "javascript:alert(1)" } });
});

const wrongBytes: [name: string, bytes: Uint8Array, words: string][] = [
  ["UTF-16", Buffer.from("\ufeff{}", "utf16le"), "UTF-16"],
  ["UTF-16 without a mark", Buffer.from('{"openapi": "3.1.0"}', "utf16le"), "UTF-16"],
  ["a NUL character", Buffer.from('{"openapi": "3.1.0", "a": "\0"}'), "NUL"],
  ["bytes that are not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22]), "not UTF-8"],
  ["an encoded lone surrogate", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), "not UTF-8"],
  ["gzip", Buffer.from([0x1f, 0x8b, 8, 0, 0]), "gzip"],
  ["a ZIP archive", Buffer.from([0x50, 0x4b, 3, 4, 0]), "ZIP"],
  ["a web page", Buffer.from("<!DOCTYPE html><html></html>"), "web page"],
  ["white space", Buffer.from(" \n\t "), "empty"],
];
for (const [name, bytes, words] of wrongBytes) {
  test(`O10: ${name} is refused with the reason, and leaves no row`, async () => {
    const form = new FormData();
    form.set("document", new File([bytes as Uint8Array<ArrayBuffer>], "openapi.json"));
    const response = await registry.client.registerApi({ rawBody: form } as never);
    expect(response).toMatchObject({ ok: false, status: 422 });
    expect(response.ok ? "" : response.problem.errors?.[0]?.message).toContain(words);
    const db = database.inSchema<{ apis: { name: string }; documents: { file_name: string } }>("api_registry");
    expect(
      await db.selectFrom("documents").select("file_name").where("file_name", "=", "openapi.json").execute(),
    ).toEqual([]);
  });
}

test("O10: escaped NULs and lone surrogates are preserved in the description, and replaced in lists", async () => {
  const document = `{"openapi":"3.1.0","info":{"title":"A\\u0000B","version":"\\ud800"},"paths":{"/a":{"get":{"summary":"\\u0000\\udfff","tags":["\\u0000"],"responses":{"200":{"description":"\\u0000"}}}}}}`;
  const registered = await registry.client.registerApi({ body: { source: { document } } });
  if (!registered.ok) throw new Error(JSON.stringify(registered.problem));
  const apiId = registered.value.id;
  const listed = await registry.client.listOperations({ params: { apiId }, query: {} });
  expect(listed.ok && listed.value.items[0]?.summary).toBe("\ufffd\ufffd");
  const opened = await registry.client.getOperation({ params: { apiId, method: "get", pathName: "/a" } });
  expect(opened.ok && opened.value.operation.summary).toBe("\0\udfff");
});

for (const [name, schema, schemas] of [
  ["minLength 1e9", { type: "string", minLength: 1e9 }, {}],
  ["minItems 1e9", { type: "array", minItems: 1e9, items: {} }, {}],
  ["minProperties 1e9", { type: "object", minProperties: 1e9 }, {}],
  ["a required circle", reference("A"), { A: { type: "object", required: ["a"], properties: { a: reference("A") } } }],
  [
    "4 to the power of 15 members",
    reference("L0"),
    Object.fromEntries(
      Array.from({ length: 15 }, (_, level) => [
        `L${level}`,
        {
          type: "object",
          required: ["a", "b", "c", "d"],
          properties: Object.fromEntries(
            ["a", "b", "c", "d"].map((key) => [key, level < 14 ? reference(`L${level + 1}`) : { type: "string" }]),
          ),
        },
      ]),
    ),
  ],
] as const) {
  test(`O11: ${name} has no sample`, async () => {
    const value = await readDocument({ document: createDocument(schema, schemas) });
    const described = JSON.parse(value.operations[0]!.described) as { requestBody: { content: object[] } };
    expect(described.requestBody.content[0]).not.toHaveProperty("sample");
  });
}

test("O11: a multiple of 1e-300 has a valid sample", async () => {
  const { operations } = await readDocument({
    document: createDocument({ type: "number", multipleOf: 1e-300, minimum: 5 }),
  });
  const { requestBody } = JSON.parse(operations[0]!.described) as { requestBody: { content: { sample: number }[] } };
  expect(Number.isInteger(requestBody.content[0]!.sample / 1e-300)).toBe(true);
});
