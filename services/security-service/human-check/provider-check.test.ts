import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import pino from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createEgress, type Egress } from "#libraries/egress/egress.ts";
import { createProviderCheck } from "./provider-check.ts";

interface ActionRequest {
  method: string | undefined;
  headers: IncomingHttpHeaders;
  form: Record<string, string>;
}

let server: Server;
let egress: Egress;
let requested: ActionRequest[];
let logged: string[];
let result: { status: number; body: string } | undefined;

beforeEach(async () => {
  requested = [];
  logged = [];
  result = { status: 200, body: JSON.stringify({ success: true }) };
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
    requested.push({ method: request.method, headers: request.headers, form });
    if (!result) return void request.socket.destroy();
    response.writeHead(result.status, { "content-type": "application/json" }).end(result.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  egress = createEgress({ policy: { allow: [], allowLoopback: true, ownTargets: [] } });
});
afterEach(async () => {
  await egress.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function check() {
  const { port } = server.address() as AddressInfo;
  const provider = {
    siteKey: "site",
    secret: "canary secret",
    verifyUrl: `http://127.0.0.1:${port}/siteverify`,
    scriptUrl: "https://provider.example/api.js",
  };
  return createProviderCheck({ provider, egress, log: pino({}, { write: (line: string) => void logged.push(line) }) });
}

test("the browser is given the site key and the script, never the secret", async () => {
  expect(await check().ask()).toEqual({
    kind: "provider",
    siteKey: "site",
    scriptUrl: "https://provider.example/api.js",
  });
});

test("the provider gets secret, token and the visitor's address as a form, and its result counts", async () => {
  expect(await check().judge("a token & more", "203.0.113.9")).toBe("right");
  expect(requested).toMatchObject([
    {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      form: { secret: "canary secret", response: "a token & more", remoteip: "203.0.113.9" },
    },
  ]);
  result = { status: 200, body: JSON.stringify({ success: false, "error-codes": ["timeout-or-duplicate"] }) };
  expect(await check().judge("used", undefined)).toBe("wrong");
  expect(requested[1]?.form).not.toHaveProperty("remoteip");
  expect(logged).toEqual([]);
});

test.each([
  ["does not answer", undefined],
  ["answers with an error page", { status: 503, body: "<h1>away</h1>" }],
  ["answers something else", { status: 200, body: JSON.stringify({ ok: 1 }) }],
  [
    "refuses our secret",
    { status: 200, body: JSON.stringify({ success: false, "error-codes": ["invalid-input-secret"] }) },
  ],
])("a provider that %s decides nothing, and the operator reads of it", async (_, given) => {
  result = given;
  expect(await check().judge("token", "203.0.113.9")).toBe("undecided");
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain("could not be asked");
  // L03: neither the secret nor the visitor's address.
  expect(logged[0]).not.toMatch(/canary|203\.0\.113\.9/);
});
