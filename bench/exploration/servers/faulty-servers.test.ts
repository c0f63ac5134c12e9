import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { faultyServers, seededFaults } from "./all-servers.ts";
import type { Operation, Schema, ServerDocument } from "./document.ts";
import { type FaultyServer, startServer } from "./faulty-server.ts";
import { type Received, type Send, shownFaults } from "./shown-faults.ts";

interface Exchange {
  line: string;
  received: Received;
}

async function withServer<T>(
  described: FaultyServer,
  faults: string[],
  use: (send: Send, exchanges: Exchange[]) => Promise<T>,
): Promise<T> {
  const server = await startServer(described, faults);
  const exchanges: Exchange[] = [];
  const send: Send = async (line, body, headers = {}) => {
    const [method, target] = line.split(" ") as [string, string];
    const { apiKey } = described;
    const response = await fetch(server.origin + target, {
      method,
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(apiKey && { [apiKey.header]: apiKey.key }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type") === "application/json";
    const received = { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    exchanges.push({ line, received });
    return received;
  };
  try {
    return await use(send, exchanges);
  } finally {
    await server.stop();
  }
}

const toText = ({ status, headers, body }: Received) =>
  JSON.stringify([
    status,
    body,
    ...["content-type", "location", "etag", "x-total-count"].map((name) => headers.get(name)),
  ]);

test("there are faults of each kind, each with a name of its own", () => {
  expect(seededFaults.length).toBeGreaterThanOrEqual(34);
  expect(new Set(seededFaults.map(({ id }) => id)).size).toBe(seededFaults.length);
  expect(Object.keys(shownFaults).sort()).toEqual(seededFaults.map(({ id }) => id).sort());
  expect(new Set(seededFaults.flatMap(({ kinds }) => kinds)).size).toBe(16);
});

test.each(seededFaults)("$id changes what a client sees", async ({ id, server }) => {
  const show = shownFaults[id]!;
  const faultless = await withServer(server, [], async (send) => toText(await show(send)));
  const faulty = await withServer(server, [id], async (send) => toText(await show(send)));
  expect(faulty).not.toBe(faultless);
});

test.each(faultyServers)("without a fault the $name does what its document says", async (server) => {
  const seen = new Set<string>();
  for (const { id } of server.faults) {
    await withServer(server, [], async (send, exchanges) => {
      await shownFaults[id]!(send);
      for (const { line, received } of exchanges) seen.add(requireConform(server.document, line, received));
    });
  }
  const all = Object.values(server.document.paths).flatMap((operations) => Object.values(operations));
  expect([...seen].sort()).toEqual(all.map(({ operationId }) => operationId).sort());
});

test("what the document doesn't allow is refused", async () => {
  const [books] = faultyServers;
  await withServer(books!, [], async (send) => {
    const statusOf = async (...request: Parameters<Send>) => (await send(...request)).status;
    expect(await statusOf("GET /nothing")).toBe(404);
    expect(await statusOf("GET /books/none")).toBe(400);
    expect(await statusOf("GET /books/b0000000-0000-4000-8000-000000000009")).toBe(404);
    expect(await statusOf("GET /books?genre=")).toBe(400);
    expect(await statusOf("GET /books?limit=1e1")).toBe(400);
    expect(await statusOf("GET /books?limit=1&limit=2")).toBe(400);
    expect(await statusOf("GET /books/%ff")).toBe(400);
    expect(await statusOf("GET /books", undefined, { accept: "text/html" })).toBe(406);
    expect(await statusOf("POST /books", {}, { "content-type": "text/plain" })).toBe(415);
    expect(await statusOf("POST /authors", { name: "x".repeat(1_000_001) })).toBe(413);
    const refused = await send("DELETE /books");
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, POST, HEAD"]);
  });
});

/** @returns the operation that answered */
function requireConform(document: ServerDocument, line: string, { status, headers, body }: Received): string {
  const [method, target] = line.split(" ") as [string, string];
  const [path] = target.split("?") as [string];
  const [, operations] = Object.entries(document.paths).find(([template]) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`).test(path),
  )!;
  const operation = operations[method.toLowerCase()] as Operation;
  expect(operation.responses, `${line} gave ${status}`).toHaveProperty(String(status));
  const given = operation.responses[status] as { $ref?: string };
  const response = (given.$ref ? document.components.responses[given.$ref.split("/").at(-1)!] : given) as {
    headers?: Record<string, unknown>;
    content?: Record<string, { schema: Schema }>;
  };
  for (const name of Object.keys(response.headers ?? {})) expect(headers.has(name), `${name} of ${line}`).toBe(true);
  const schema = response.content?.["application/json"]?.schema;
  if (schema) {
    const ajv = new Ajv2020({ strict: false, validateSchema: false });
    addFormats.default(ajv);
    ajv.validate({ ...schema, components: document.components }, body);
    expect(ajv.errors, line).toBeNull();
  } else {
    expect(body).toBe("");
  }
  return operation.operationId;
}
