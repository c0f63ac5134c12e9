/** Files of assurance as code without a portal: 5,000 tests of 10 APIs are written, read, and changed in their lines. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { CodeValue } from "../cli/code/code-object.ts";
import { readFiles } from "../cli/code/read-files.ts";
import { writeFiles } from "../cli/code/write-files.ts";
import type { JsonObject } from "../libraries/json/json.ts";

const apis = 10;
const tests = 5_000;
const resources = 20;
const sha256 = "0".repeat(64);

function createTest(index: number): CodeValue {
  const path = `/resource-${index % resources}/{id}`;
  const value: JsonObject = {
    ...{ name: `Reads one of ${index}, with its documented fields`, method: "get", path, tags: ["smoke", "nightly"] },
    request: {
      pathParameters: [{ name: "id", value: `{{id${index}}}` }],
      headers: [{ name: "Accept", value: "application/json" }],
      body: { kind: "raw", contentType: "application/json", text: '{\n  "title": "Dune",\n  "pages": 412\n}\n' },
    },
    assertions: [
      { source: "statusCode", comparison: "equals", target: 200 },
      { source: "jsonPath", property: "$.id", comparison: "equals", target: index },
      { source: "jsonPath", property: "$.title", comparison: "startsWith", target: "Du" },
    ],
    checks: ["not_a_server_error", "status_code_conformance", "response_schema_conformance"],
    captures: [{ name: "title", source: "jsonPath", property: "$.title" }],
  };
  return { kind: "test", parent: `api-${index % apis}`, key: `reads-one-of-${index}`, value };
}

const objects: CodeValue[] = [
  ...Array.from({ length: apis }, (_, index): CodeValue => {
    return { kind: "api", key: `api-${index}`, value: { name: `API ${index}`, document: { sha256 } } };
  }),
  ...Array.from({ length: tests }, (_, index) => createTest(index)),
];

const folder = mkdtempSync(join(tmpdir(), "assurance-bench-"));
const documents = new Map(objects.slice(0, apis).map(({ key }) => [key, join(folder, "apis", key, "openapi.json")]));
const options = { schema: "https://portal.example.com/schemas/assurance.json", documents };
let bytes = 0;

async function measure<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  const result = await work();
  process.stdout.write(`${name}: ${((performance.now() - start) / 1_000).toFixed(1)} s\n`);
  return result;
}

async function write(changed: readonly CodeValue[]): Promise<number> {
  const written = writeFiles(await readFiles(folder), changed, options);
  for (const [path, text = ""] of written) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    bytes += text.length;
  }
  return written.size;
}

try {
  await measure("written into an empty folder", () => write(objects));
  process.stdout.write(`${(bytes / 1e6).toFixed(1)} MB of YAML\n`);
  for (const path of documents.values()) writeFileSync(path, '{"openapi": "3.1.0"}');
  await measure("read", () => readFiles(folder));
  const changed = objects.map((one) =>
    one.kind === "test" ? { ...one, value: { ...one.value, name: `${String(one.value.name)}!` } } : one,
  );
  await measure("read, and nothing changes", () => write(objects));
  await measure("read, and a field of each test changes", () => write(changed));
} finally {
  rmSync(folder, { recursive: true });
}
