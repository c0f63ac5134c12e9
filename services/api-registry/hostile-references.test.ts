import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEgress, type Egress } from "#libraries/egress/egress.ts";
import type { Database } from "../kit/database/database.ts";
import { testEngines } from "../kit/testing/databases.ts";
import { createDocument, reference } from "./testing/fixtures.ts";
import { readDocument } from "./testing/reading.ts";
import { startRegistry } from "./testing/registry.ts";

/** Counts connections, not only requests. */
let canary: Server;
let connections = 0;
let egress: Egress;
let database: Database;
let registry: Awaited<ReturnType<typeof startRegistry>>;

beforeAll(async () => {
  canary = createServer((_, response) => response.end("{}"));
  canary.on("connection", () => {
    connections += 1;
  });
  canary.listen(0, "127.0.0.1");
  await once(canary, "listening");
  egress = createEgress({ policy: { allow: [], allowLoopback: false, ownTargets: [] } });
  database = await testEngines()[0].open();
  registry = await startRegistry(database, { egress });
});
afterAll(async () => {
  await registry.service.stop();
  await database.close();
  await egress.close();
  canary.close();
});

function canaryReferences(): string[] {
  const { port } = canary.address() as AddressInfo;
  return [
    `http://127.0.0.1:${port}/`,
    `http://localhost:${port}/a.json#/A`,
    `//127.0.0.1:${port}/a.json`,
    `\\\\127.0.0.1\\share\\a.yaml`,
    "file:///etc/passwd",
    "FILE:///etc/passwd#/A",
    "../../.env",
    "/etc/passwd",
    "C:\\windows\\win.ini",
    "data:application/json,{}",
    "..%2f..%2f.env",
  ];
}

test("O01: references to missing URLs and files connect to nothing, open nothing, and are named", async () => {
  const references = canaryReferences();
  const document = createDocument(
    { anyOf: references.map(($ref) => ({ $ref })) },
    {
      WithId: { $id: references[0], allOf: [{ $ref: "b.json" }] },
    },
  );
  const result = await registry.client.inspectDocument({ body: { document } });
  if (!result.ok) throw new Error(JSON.stringify(result.problem));
  const messages = result.value.problems.map(({ message }) => message).join("\n");
  // The first is an `$id` of the document itself, so it resolves there.
  for (const $ref of references.slice(1)) expect(messages).toContain(`The reference "${$ref}" leads nowhere`);
  expect(messages).not.toContain("root:");
  expect(connections).toBe(0);
});

test("O01: the same rules apply to a reference in a submitted file", async () => {
  const fetched: string[] = [];
  const { inspection } = await readDocument(
    {
      document: createDocument({ $ref: "parts/pet.yaml#/Pet" }),
      fileName: "openapi.json",
      files: {
        "parts/pet.yaml": "Pet: {properties: {a: {$ref: ../../../../etc/passwd}, b: {$ref: 'file:///etc/shadow'}}}",
      },
    },
    {
      fetchFile: async (url) => {
        fetched.push(url);
        return { ok: false, reason: "no." };
      },
    },
  );
  expect(fetched).toEqual([]);
  expect(inspection.problems.map(({ file, line }) => [file, line])).toEqual([
    ["parts/pet.yaml", 1],
    ["parts/pet.yaml", 1],
  ]);
});

const longChain = (link: (next: unknown) => unknown) =>
  Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [
      `S${index}`,
      index < 9_999 ? link(reference(`S${index + 1}`)) : { type: "string" },
    ]),
  );

const circles: [name: string, schema: unknown, schemas: Record<string, unknown>][] = [
  ["itself", reference("A"), { A: reference("A") }],
  ["two in a circle", reference("A"), { A: reference("B"), B: reference("A") }],
  ["allOf in a circle", reference("A"), { A: { allOf: [reference("B")] }, B: { allOf: [reference("A")] } }],
  ["oneOf in a circle", reference("A"), { A: { oneOf: [reference("B")] }, B: { oneOf: [reference("A")] } }],
  ["a required circle", reference("A"), { A: { type: "object", required: ["a"], properties: { a: reference("A") } } }],
  ["a reference to a reference", { $ref: "#/components/schemas/A/$ref" }, { A: reference("B"), B: {} }],
  ["a chain of 10,000", reference("S0"), longChain((next) => next)],
  ["a chain of 10,000 through allOf", reference("S0"), longChain((next) => ({ allOf: [next] }))],
  [
    "a chain of 10,000 required members",
    reference("S0"),
    longChain((next) => ({ type: "object", required: ["n"], properties: { n: next } })),
  ],
];
for (const [name, schema, schemas] of circles) {
  test(`O02: ${name} is handled`, async () => {
    const value = await readDocument({ document: createDocument(schema, schemas) });
    expect(value.inspection).toMatchObject({ usable: true, operationCount: 1 });
  });
}
