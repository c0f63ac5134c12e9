import { createServer, type Server } from "node:http";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { type HandledPortal, openHandledPortal } from "../support/handled-portal.ts";

const book = {
  ...{ type: "object", required: ["id", "title"], additionalProperties: false },
  properties: { id: { type: "integer" }, title: { type: "string" } },
};
const content = (schema: object) => ({ "application/json": { schema } });
const given = (schema: object) => ({ description: "Given", content: content(schema) });
const parameters = [{ name: "bookId", in: "path", required: true, schema: { type: "integer" } }];
const refusals = {
  400: { description: "Invalid" },
  401: { description: "Who asks is not known" },
  404: { description: "Not found" },
};
const document = (url: string) => ({
  openapi: "3.1.0",
  info: { title: "Books of accounts", version: "1" },
  servers: [{ url }],
  security: [{ key: [] }],
  paths: {
    "/books": {
      post: {
        requestBody: {
          required: true,
          content: content({ type: "object", properties: { title: { type: "string" } } }),
        },
        responses: { 201: given(book), 401: refusals[401] },
      },
    },
    "/books/{bookId}": {
      get: { parameters, responses: { 200: given(book), ...refusals } },
      delete: { parameters, responses: { 204: { description: "Deleted" }, ...refusals } },
    },
  },
  components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
});

let portal: HandledPortal;
let server: Server;
let host: string;
let made = 0;
const books = new Map<number, { title: string }>();

beforeAll(async () => {
  portal = await openHandledPortal();
  server = createServer(async (request, response) => {
    const owner = String(request.headers["x-key"] ?? "");
    const send = (status: number, value?: object) => {
      response.writeHead(status, value ? { "content-type": "application/json" } : {});
      response.end(value && JSON.stringify(value));
    };
    if (!["key of ada", "key of bob"].includes(owner)) return send(401);
    if (request.method === "POST") {
      const sent = (await json(request).catch(() => undefined)) as { title?: unknown } | undefined;
      const { title = "" } = sent ?? {};
      if (!sent || typeof title !== "string") return send(400);
      made += 1;
      books.set(made, { title });
      return send(201, { id: made, title });
    }
    const id = Number(request.url!.split("/").at(-1));
    const found = books.get(id);
    // All who know the number may read and delete it: that is the fault.
    if (!found) return send(404);
    if (request.method !== "DELETE") return send(200, { id, title: found.title });
    books.delete(id);
    return send(204);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  host = `127.0.0.1:${(server.address() as { port: number }).port}`;
});
afterAll(async () => {
  await portal.stop();
  server.close();
});

test("what one account made and another one can read is found with the second credential of the host", async () => {
  const { apiRegistry, securityService, testAnalyzer, testExecutioner } = portal.backend;
  const source = { document: JSON.stringify(document(`http://${host}`)) };
  const { id: apiId } = requireValue(await apiRegistry.registerApi({ body: { source } }), "registering");
  const input = { domain: host, type: "apiKey" as const, settings: { in: "header" as const, parameterName: "X-Key" } };
  const store = async (name: string, secret: string) =>
    requireValue(await securityService.createCredential({ body: { ...input, name, secret } }), name).id;
  const credentialId = await store("Key of Ada", "key of ada");
  const config = { domain: host, schemeName: "key", credentialId };
  requireValue(await securityService.createAuthorizationConfig({ body: config }), "config");

  const operations = ["post /books", "get /books/{bookId}", "delete /books/{bookId}"].map((key) => {
    const [method = "", path = ""] = key.split(" ");
    return { method, path };
  });
  const plan = async () =>
    requireValue(await testAnalyzer.planSuite({ params: { apiId }, body: { operations } }), "plan").tests;
  const isOther = ({ test: { name } }: { test: { name: string } }) => name.includes("another account's");
  expect((await plan()).filter(isOther)).toEqual([]);
  await store("Key of Bob", "key of bob");
  expect((await plan()).filter(isOther).map(({ test: { name } }) => name)).toEqual([
    "GET /books/{bookId} refuses Key of Bob, another account's",
    "DELETE /books/{bookId} refuses Key of Bob, another account's",
  ]);

  const visitor = await portal.signIn();
  await (await visitor.open(`/test-management/${apiId}/tests/make`)).submit("Create and run");
  const verdicts = async () => {
    const runs = requireValue(await testExecutioner.listRuns({ query: { apiId } }), "runs").items;
    const own = runs.find(({ source: one }) => one.kind === "circle" && one.testCircleName.startsWith("Invalid"));
    if (!own || own.verdict === null) return undefined;
    const run = await testExecutioner.getRun({ params: { runId: own.id }, query: { limit: 200 } });
    const members = requireValue(run, "run").members.items;
    return members.filter(({ testName }) => testName.includes("another account's")).map(({ verdict }) => verdict);
  };
  await expect.poll(verdicts, { timeout: 60_000 }).toEqual(["failed", "failed"]);
});
