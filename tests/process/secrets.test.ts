import { lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { openEmbeddedDatabase } from "../../services/kit/database/database.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import { type PortalBackend, registerApi, signInToBackend } from "../support/portal-backend.ts";
import { type PortalProcess, startPortalProcess } from "../support/portal-process.ts";
import { ask, signInForCookies } from "../support/raw-request.ts";

/** With characters that every encoding represents differently. */
const secrets = {
  administrator: 'canary-admin"&</+%=?1',
  mistyped: 'canary-wrong"&</+%=?2',
  installation: 'canary-key"&</+%=?3 of at least thirty-two',
  basic: 'canary-basic"&</+%=?4',
  bearer: "canary-bearer_&~/+%=.5",
  header: 'canary-header"&</+%=?6',
  query: 'canary-query"&</+%=?7',
  cookie: "canary-cookie_&~/+%.8",
};
const username = "ana";
const operations = ["echo", "redirect", "cut-off"];

function listEncodings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    encodeURIComponent(encodeURIComponent(secret)),
    new URLSearchParams({ s: secret }).toString().slice(2),
    secret.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;"),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    Buffer.from(`${username}:${secret}`).toString("base64").replace(/=+$/, ""),
    // Within longer base64, at the two other alignments: the part that depends only on the secret.
    Buffer.from(`x${secret}`).toString("base64").slice(2, -4),
    Buffer.from(`xy${secret}`).toString("base64").slice(3, -4),
  ];
}

function findSecrets(text: string): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) =>
    listEncodings(secret).flatMap((encoded, index) =>
      text.includes(encoded)
        ? [`${name}, encoding ${index}: …${text.slice(text.indexOf(encoded) - 60, text.indexOf(encoded) + 20)}`]
        : [],
    ),
  );
}

/** An API that echoes every request, in all encodings, in headers, address and body. */
function respond(request: IncomingMessage, response: ServerResponse, origin: string): void {
  const { pathname } = new URL(request.url ?? "/", origin);
  if (pathname === "/openapi.json") {
    const content = { "application/json": { schema: { type: "object", required: ["missing"] } } };
    const paths = operations.map((name) => [
      `/${name}`,
      { get: { responses: { 200: { description: "What came", content } } } },
    ]);
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        openapi: "3.0.3",
        info: { title: "Echo", version: "1" },
        servers: [{ url: origin }],
        paths: Object.fromEntries(paths),
      }),
    );
    return;
  }
  const sent = `${request.url} ${request.headers.authorization} ${request.headers["x-key"]} ${request.headers.cookie}`;
  if (pathname === "/redirect" && !request.url?.includes("again")) {
    response.writeHead(302, { location: `/redirect?again=${encodeURIComponent(sent)}` }).end();
    return;
  }
  const body = JSON.stringify({
    sent,
    decoded: Object.values(secrets)
      .filter((secret) => listEncodings(secret).some((encoded) => sent.includes(encoded)))
      .flatMap((secret) => listEncodings(secret).slice(0, 11)),
    base64: [0, 1, 2].map((shift) => Buffer.from("x".repeat(shift) + sent).toString("base64")),
    url: encodeURIComponent(sent),
  });
  response.writeHead(200, {
    "content-type": "application/json",
    "x-echo": encodeURIComponent(sent),
    "set-cookie": `echo=${Buffer.from(sent).toString("base64")}`,
    ...(pathname === "/cut-off" ? { "content-length": body.length + 100 } : {}),
  });
  if (pathname === "/cut-off") response.write(body, () => response.destroy());
  else response.end(body);
}

let api: Server;
let apiOrigin: string;
let portal: PortalProcess;
let backend: PortalBackend;

beforeAll(async () => {
  api = createServer((request, response) => respond(request, response, apiOrigin));
  await new Promise<void>((listening) => api.listen(0, "127.0.0.1", listening));
  apiOrigin = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  portal = await startPortalProcess({
    keepData: true,
    environment: { LOG_LEVEL: "trace", ADMIN_PASSWORD: secrets.administrator, SECRETS_KEY: secrets.installation },
  });
  backend = await signInToBackend(portal);
});
afterAll(async () => {
  portal.process.kill("SIGKILL");
  rmSync(portal.dataDirectory, { recursive: true, force: true });
  api.close();
  api.closeAllConnections();
});

async function createCredentials(): Promise<{ id: string }[]> {
  const domain = new URL(apiOrigin).host;
  const inputs = [
    { name: "Pair", type: "basic", settings: { username }, secret: secrets.basic },
    { name: "Token", type: "bearer", settings: {}, secret: secrets.bearer },
    { name: "Header key", type: "apiKey", settings: { in: "header", parameterName: "x-key" }, secret: secrets.header },
    { name: "Query key", type: "apiKey", settings: { in: "query", parameterName: "key" }, secret: secrets.query },
    { name: "Cookie key", type: "apiKey", settings: { in: "cookie", parameterName: "key" }, secret: secrets.cookie },
  ] as const;
  const created: { id: string }[] = [];
  for (const input of inputs) {
    const credential = await backend.securityService.createCredential({ body: { ...input, domain } });
    created.push(requireValue(credential, "creating a credential"));
  }
  return created;
}

test("L03: after sign-in and runs that echo them, secrets are in no response, page, log line, table or file", async () => {
  const seen: Record<string, string> = {};
  const path = (name: string) => `/${name}`;
  const apiId = await registerApi(backend, `${apiOrigin}/openapi.json`);
  const credentials = await createCredentials();
  const pages = ["/dashboard", "/administration/credentials", `/api-management/${apiId}/details`];
  pages.push(...credentials.map(({ id }) => `/administration/credentials/${id}/edit`));
  let runs = 0;
  for (const { id: credentialId } of credentials) {
    const request = { authorization: { kind: "credentials" as const, bindings: [{ schemeName: "", credentialId }] } };
    for (const name of operations) {
      const sent = await backend.testExecutioner.sendRequest({
        body: { apiId, method: "GET", path: path(name), request },
      });
      seen[`sending ${name}`] = JSON.stringify(sent);
      const created = await backend.testRegistry.createTest({
        params: { apiId },
        body: {
          name: `${name} ${credentialId}`,
          method: "GET",
          path: path(name),
          request: { ...request, followRedirects: true },
          checks: ["response_schema_conformance"],
          assertions: [
            { source: "jsonPath", property: "$.sent", comparison: "equals", target: "nothing" },
            { source: "header", property: "x-echo", comparison: "equals", target: "nothing" },
            { source: "body", comparison: "contains", target: "nothing" },
            { source: "cookie", property: "echo", comparison: "notExists" },
            { source: "url", comparison: "equals", target: "nothing" },
          ],
          captures: [{ name: "echo", source: "jsonPath", property: "$.sent" }],
        },
      });
      const { id: testId } = requireValue(created, "creating a test");
      const run = await toTheEnd(backend.testExecutioner).runTest({ params: { testId }, body: {} });
      const { id: executionId, state } = requireValue(run, "running");
      expect(state).toBe("finished");
      runs += 1;
      seen[`execution of ${name}`] = JSON.stringify(
        requireValue(await backend.testExecutioner.getExecution({ params: { executionId } }), "reading"),
      );
      const verifications = await fetch(
        `${portal.origin}/api/test-analyzer/api/v1/test-executions/${executionId}/verifications`,
        { headers: { authorization: `Bearer ${await backend.freshToken()}` } },
      );
      expect(verifications.status).toBe(200);
      seen[`verifications of ${name}`] = await verifications.text();
      const location = `/test-management/${apiId}/tests/${testId}`;
      pages.push(
        `${location}/executions/${executionId}/results`,
        `${location}/executions/${executionId}/verifications`,
      );
      pages.push(`${location}/executions/list`, `${location}/edit`);
    }
  }
  expect(runs).toBe(15);
  // The rest requires that the API received them and echoed them.
  expect(Object.values(seen).join()).toContain("[secret]");
  seen.credentials = JSON.stringify(await backend.securityService.listCredentials({ query: { limit: 200 } }));

  const cookie = await signInForCookies(portal.origin, portal);
  const wrong = { username: "admin", password: secrets.mistyped };
  const refused = await ask(portal.origin, "/login", {
    method: "POST",
    headers: { origin: portal.origin, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(wrong).toString(),
  });
  expect(refused.status).toBe(401);
  seen["refused sign-in"] = refused.text;
  for (const page of pages) {
    const displayed = await ask(portal.origin, page, { headers: { cookie } });
    expect(displayed.status, page).toBe(200);
    seen[page] = displayed.text + JSON.stringify(displayed.headers);
  }
  expect(await portal.stop()).toBe(0);

  const session = cookie.split("; ").find((part) => part.startsWith("session.0="));
  const log = portal.output();
  expect(log).not.toContain(backend.token.split(".")[2]);
  expect(log).not.toContain(session!.slice(-40));
  seen.log = log;
  const database = await openEmbeddedDatabase(portal.dataDirectory);
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(
    database.kysely,
  );
  expect(tables.length).toBeGreaterThan(15);
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`.execute(database.kysely);
    // A composite's text doubles quotes and backslashes.
    seen[name] = rows.map(({ row }) => `${row}\n${row.replace(/""/g, '"').replace(/\\\\/g, "\\")}`).join("\n");
    expect(seen[name], name).not.toContain(backend.token.split(".")[2]);
  }
  await database.close();
  // Overwritten and uncommitted data is still in the files.
  for (const file of readdirSync(portal.dataDirectory, { recursive: true, encoding: "utf8" })) {
    const absolute = join(portal.dataDirectory, file);
    if (lstatSync(absolute).isFile()) seen[file] = readFileSync(absolute, "latin1");
  }
  const found = Object.entries(seen).flatMap(([location, text]) =>
    findSecrets(text).map((secret) => `${location}: ${secret}`),
  );
  expect(found).toEqual([]);
});
