import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { href } from "../../app/href.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";

let portal: HandledPortal;
let visitor: Visitor;
let origin: string;
let received: string[] = [];
const server = createServer((request, response) => {
  received.push(`${request.method} ${request.url}`);
  response.writeHead(200, { "content-type": "application/json" }).end("{}");
});
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  portal = await openHandledPortal();
  visitor = await portal.signIn();
});
afterAll(async () => {
  await portal.stop();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  received = [];
});

const responses = { 200: { description: "ok" } };

async function register(document: object): Promise<string> {
  const source = { document: JSON.stringify({ info: { title: "Two base paths", version: "1" }, ...document }) };
  return requireValue(await portal.backend.apiRegistry.registerApi({ body: { source } }), "registering").id;
}

const registerTwo = () =>
  register({
    openapi: "3.1.0",
    servers: [{ url: `${origin}/api/v1` }],
    paths: {
      "/usual": { get: { responses } },
      "/files": { servers: [{ url: `${origin}/pathlevel` }], get: { responses } },
    },
  });

test("made tests, Send and samples reach the server that the document has for a path", async () => {
  const apiId = await registerTwo();
  const page = await visitor.open(`/test-management/${apiId}/tests/make`);
  expect((await page.submit("Create and run")).text).toContain("2 circles are running.");
  await expect
    .poll(() => [...received].sort(), { timeout: 20_000 })
    .toEqual(["GET /api/v1/usual", "GET /pathlevel/files"]);

  const viewer = await visitor.open(`/api-management/${apiId}/swagger/operation?method=get&path=%2Ffiles`);
  expect(viewer.value("baseUrl")).toBe(`${origin}/pathlevel`);
  expect(viewer.text).toContain("The document's server for this operation.");
  expect(viewer.text).toContain(`${origin}/pathlevel/files`);
  received = [];
  await viewer.submit("Send");
  expect(received).toEqual(["GET /pathlevel/files"]);
});

test("the editor says where a test goes, and the execution where it went", async () => {
  const apiId = await registerTwo();
  const form = await visitor.open(
    href("/test-management/:apiId/tests/create/:pathName/:method", { apiId, pathName: "/files", method: "get" }),
  );
  expect(form.text).toContain(`Sent to ${origin}/pathlevel, the document's server for this operation.`);
  const { testRegistry, testExecutioner } = portal.backend;
  await form.submit("Save");
  const [saved] = requireValue(await testRegistry.listTests({ params: { apiId } }), "tests").items;
  const testId = saved!.id;
  const run = await toTheEnd(testExecutioner).runTest({ params: { testId }, body: {} });
  const { id } = requireValue(run, "run");
  const execution = await visitor.open(`/test-management/${apiId}/tests/${testId}/executions/${id}/results`);
  expect(execution.text).toContain(
    `GET ${origin}/pathlevel/files, at the server the document gives for this operation`,
  );
});

test("an operation of a 2.0 document goes out with its own scheme", async () => {
  const { host } = new URL(origin);
  const apiId = await register({
    swagger: "2.0",
    ...{ host, basePath: "/v2", schemes: ["https"] },
    paths: { "/plain": { get: { schemes: ["http"], responses } } },
  });
  const page = await visitor.open(`/test-management/${apiId}/tests/make`);
  await page.submit("Create and run");
  await expect.poll(() => received, { timeout: 20_000 }).toEqual(["GET /v2/plain"]);
});
