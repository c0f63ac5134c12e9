import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The suite of every runner: this many GET requests, each with the same three assertions. */
export const requestCount = 500;

/** The target's response to every request. */
export const petResponse = JSON.stringify({
  id: 7,
  name: "Rex",
  tags: ["dog", "brown"],
  owner: { name: "Ana", age: 33 },
});

export const requestNumbers = Array.from({ length: requestCount }, (_, index) => index + 1);

function toUrl(baseUrl: string, number: number): string {
  return `${baseUrl}/pets?number=${number}`;
}

/** The document that the portal registers. */
export function writeDocument(baseUrl: string): string {
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    servers: [{ url: baseUrl }],
    paths: { "/pets": { get: { responses: { "200": { description: "A pet" } } } } },
  });
}

export function testInput(number: number) {
  return {
    name: `Request ${number}`,
    method: "get",
    path: "/pets",
    request: { query: [{ name: "number", value: String(number) }], authorization: { kind: "none" } },
    assertions: [
      { source: "statusCode", comparison: "equals", target: 200 },
      { source: "jsonPath", property: "$.name", comparison: "equals", target: "Rex" },
      { source: "header", property: "content-type", comparison: "contains", target: "json" },
    ],
  };
}

/** A Postman collection. Returns its path. */
export async function writeNewmanCollection(folder: string, baseUrl: string): Promise<string> {
  const script = [
    'pm.test("status", () => pm.response.to.have.status(200));',
    'pm.test("name", () => pm.expect(pm.response.json().name).to.equal("Rex"));',
    'pm.test("type", () => pm.expect(pm.response.headers.get("content-type")).to.include("json"));',
  ];
  const file = join(folder, "collection.json");
  const item = requestNumbers.map((number) => ({
    name: `Request ${number}`,
    event: [{ listen: "test", script: { type: "text/javascript", exec: script } }],
    request: { method: "GET", url: toUrl(baseUrl, number) },
  }));
  const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
  await writeFile(file, JSON.stringify({ info: { name: "Pets", schema }, item }));
  return file;
}

/** A Bruno collection, one file per request. Returns its folder. */
export async function writeBrunoCollection(folder: string, baseUrl: string): Promise<string> {
  const collection = join(folder, "bruno");
  await mkdir(collection);
  await writeFile(join(collection, "bruno.json"), JSON.stringify({ version: "1", name: "Pets", type: "collection" }));
  for (const number of requestNumbers) {
    await writeFile(
      join(collection, `request-${number}.bru`),
      `meta {
  name: Request ${number}
  type: http
  seq: ${number}
}

get {
  url: ${toUrl(baseUrl, number)}
  body: none
  auth: none
}

assert {
  res.status: eq 200
  res.body.name: eq Rex
  res.headers['content-type']: contains json
}
`,
    );
  }
  return collection;
}

/** A Step CI workflow with one test per request, so that its concurrency is unlimited. Returns its path. */
export async function writeStepWorkflow(folder: string, baseUrl: string): Promise<string> {
  const tests = Object.fromEntries(
    requestNumbers.map((number) => [
      `request${number}`,
      {
        steps: [
          {
            name: `Request ${number}`,
            http: {
              url: toUrl(baseUrl, number),
              method: "GET",
              check: {
                status: 200,
                jsonpath: { "$.name": "Rex" },
                headers: { "Content-Type": "application/json" },
              },
            },
          },
        ],
      },
    ]),
  );
  // JSON is YAML.
  const file = join(folder, "workflow.yml");
  await writeFile(file, JSON.stringify({ version: "1.1", name: "Pets", tests }));
  return file;
}
