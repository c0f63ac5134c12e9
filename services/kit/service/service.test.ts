import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { z } from "@hono/zod-openapi";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoint, onlyReads } from "#contracts/kit/endpoint.ts";
import { systemClock } from "../clock/clock.ts";
import { createTestIdentities } from "../testing/identities.ts";
import { createService } from "./service.ts";

const note = z.object({ text: z.string() });
const result = z.object({ length: z.number() });
const common = {
  method: "post",
  access: "signed-in",
  summary: "Measures",
  status: 200,
  body: note,
  response: result,
} as const;
const contract = {
  readAway: endpoint({ ...common, method: "get", path: "/away", body: undefined }),
  loseRead: endpoint({ ...common, method: "get", path: "/lost", body: undefined }),
  loseQuestion: endpoint({ ...common, path: "/lost-questions", audit: onlyReads }),
  loseChange: endpoint({ ...common, path: "/lost-changes" }),
  measure: endpoint({ ...common, path: "/notes" }),
  measureLong: endpoint({ ...common, path: "/long-notes", maxBodyBytes: 4 * 1_048_576 }),
  measureOptional: endpoint({ ...common, path: "/optional-notes", body: note.partial().default({}) }),
  failOn: endpoint({ ...common, path: "/failing-notes" }),
  measureInside: endpoint({ ...common, path: "/internal/notes", access: "internal" }),
};
const identities = createTestIdentities();
const measure = ({ body }: { body: { text?: string } }) => ({ length: body.text?.length ?? 0 });
const loseConnection = () => {
  throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
};
const logged: string[] = [];
const service = createService({
  name: "notes",
  description: "Measures notes",
  version: "1.0.0",
  contract,
  handlers: {
    readAway() {
      throw Object.assign(new Error("connect ECONNREFUSED 10.0.0.5:5432"), { code: "ECONNREFUSED" });
    },
    loseRead: loseConnection,
    loseQuestion: loseConnection,
    loseChange: loseConnection,
    measure,
    measureLong: measure,
    measureOptional: measure,
    failOn({ body }) {
      throw new Error(`could not keep ${body.text}`);
    },
    measureInside: measure,
  },
  authenticate: identities.authenticate,
  clock: systemClock,
  log: pino({ level: "warn" }, { write: (line: string) => void logged.push(line) }),
  checkHealth: async () => {},
});
const { token } = identities.tokenFor();
const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer(getRequestListener(service.fetch, { overrideGlobalObjects: false }));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const noteWithLength = (characters: number) => JSON.stringify({ text: "x".repeat(characters) });
const post = (path: string, body: string, more: Record<string, string> = {}) =>
  fetch(origin + path, { method: "POST", headers: { ...headers, ...more }, body });

/** Sent in chunks, without Content-Length; `sent()` returns the bytes sent so far. */
function chunked(totalBytes: number) {
  let sent = 0;
  const chunk = new Uint8Array(65_536).fill(120);
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent >= totalBytes) return controller.close();
      sent += chunk.length;
      controller.enqueue(chunk);
    },
  });
  return { body, sent: () => sent };
}

test("a body of up to 2 MiB is accepted", async () => {
  const response = await post("/notes", noteWithLength(2 * 1_048_576 - 20));
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ length: 2 * 1_048_576 - 20 });
});

test("a larger body is refused with 413, and the connection still serves", async () => {
  const response = await post("/notes", noteWithLength(2 * 1_048_576));
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({
    code: "payload_too_large",
    detail: "Send at most 2 MiB in one request.",
  });
  expect((await post("/notes", noteWithLength(3))).status).toBe(200);
});

test("a body without Content-Length is refused as soon as it passes the limit", async () => {
  const { body, sent } = chunked(512 * 1_048_576);
  const request = new Request(`${origin}/notes`, { method: "POST", headers, body, duplex: "half" } as RequestInit);
  const response = await service.fetch(request);
  expect(response.status).toBe(413);
  expect(sent()).toBeLessThan(3 * 1_048_576);
});

test("a chunked body over HTTP is refused too", async () => {
  // On a separate connection: it is closed half a second after such a response, and the next request would be lost on
  // it.
  const request = httpRequest(`${origin}/notes`, { method: "POST", headers, agent: false });
  request.on("error", () => {});
  for (let chunks = 0; chunks < 8; chunks += 1) request.write("x".repeat(1_048_576));
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  expect(response.statusCode).toBe(413);
  request.destroy();
});

test("an endpoint may accept larger bodies, and documents its limit", async () => {
  expect((await post("/long-notes", noteWithLength(3 * 1_048_576))).status).toBe(200);
  // Without a connection: it is closed half a second after such a response, whether or not its sender could read it.
  const body = noteWithLength(5 * 1_048_576);
  const refused = await service.fetch(new Request(`${origin}/long-notes`, { method: "POST", headers, body }));
  expect(refused.status).toBe(413);
  expect(await refused.json()).toMatchObject({ detail: "Send at most 4 MiB in one request." });
});

test("services may send larger bodies to each other", async () => {
  const authorization = `Bearer ${await identities.serviceToken("01900000-0000-7000-8000-000000000000")}`;
  const response = await post("/internal/notes", noteWithLength(5 * 1_048_576), { authorization });
  expect(response.status).toBe(200);
});

test("an unauthorized caller is refused before the body is read", async () => {
  const { body, sent } = chunked(512 * 1_048_576);
  const request = new Request(`${origin}/notes`, {
    method: "POST",
    headers: { ...headers, authorization: "Bearer unknown" },
    body,
    duplex: "half",
  } as RequestInit);
  expect((await service.fetch(request)).status).toBe(401);
  expect(sent()).toBeLessThan(262_144);
});

test("an unavailable database is reported with a retry time and without its location", async () => {
  const response = await fetch(`${origin}/away`, { headers });
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({ code: "service_unavailable", service: "notes" });
  expect(text).not.toContain("10.0.0.5");
});

test("only a call that changes something leaves it open whether it did, when its connection is lost", async () => {
  const readDetail = async (response: Response) => ((await response.json()) as { detail: string }).detail;
  const unchanged = "The portal's database does not respond. Nothing was changed. Try again shortly.";
  expect(await readDetail(await fetch(`${origin}/lost`, { headers }))).toBe(unchanged);
  expect(await readDetail(await post("/lost-questions", noteWithLength(1)))).toBe(unchanged);
  expect(await readDetail(await post("/lost-changes", noteWithLength(1)))).toContain(
    "It is unknown whether the change was made",
  );
});

test("a body that is not JSON is refused with 400", async () => {
  for (const body of ["{", "", '{"text":"a"} {}', "\u0000"]) {
    const response = await post("/notes", body);
    expect([body, response.status]).toEqual([body, 400]);
    expect(await response.json()).toMatchObject({ code: "malformed_request" });
  }
});

test("another media type is refused with 415, JSON of another shape with 422 and the field", async () => {
  for (const path of ["/notes", "/optional-notes", "/internal/notes"]) {
    const authorization = `Bearer ${await identities.serviceToken("01900000-0000-7000-8000-000000000000")}`;
    const response = await post(path, noteWithLength(1), { authorization, "content-type": "text/plain" });
    expect([path, response.status]).toEqual([path, 415]);
  }
  const wrong = await post("/notes", '{"text":1}');
  expect(wrong.status).toBe(422);
  expect(await wrong.json()).toMatchObject({ errors: [{ path: "text" }] });
});

test("an optional body may be omitted", async () => {
  const { authorization } = headers;
  const response = await fetch(`${origin}/optional-notes`, { method: "POST", headers: { authorization } });
  expect([response.status, await response.text()]).toEqual([200, '{"length":0}']);
});

const served = (path: string, method: string) => service.request(path, { method, headers });

test("an unknown method is refused with 405 and the allowed ones", async () => {
  const refused = await served("/notes", "PUT");
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  expect(await refused.json()).toMatchObject({ code: "method_not_allowed", requestId: expect.any(String) });
  const refusedInfo = await served("/actuator/info", "DELETE");
  expect([refusedInfo.status, refusedInfo.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  expect((await served("/nowhere", "PUT")).status).toBe(404);
});

test("OPTIONS lists the allowed methods, HEAD returns the headers of GET without its body", async () => {
  const options = await served("/notes", "OPTIONS");
  expect([options.status, options.headers.get("allow"), await options.text()]).toEqual([204, "POST, OPTIONS", ""]);
  const head = await served("/actuator/info", "HEAD");
  expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([200, "application/json", ""]);
});

test("a response to an unauthenticated caller names the scheme", async () => {
  const refused = await service.request("/notes", { method: "POST" });
  expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
});

test("L04 W09: a failure caused by hostile text is one line of the log, and the response contains nothing but its id", async () => {
  const text = 'a\n{"level":60,"msg":"forged"}\r\n\u001b[31mred\u0000\u2028end';
  logged.length = 0;
  const response = await fetch(`${origin}/failing-notes`, { method: "POST", headers, body: JSON.stringify({ text }) });
  expect(response.status).toBe(500);
  const problem = await response.text();
  expect(problem).not.toMatch(/could not keep|forged|\.ts|at /);
  expect(logged).toHaveLength(1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: asserts the absence of control characters
  expect(logged[0]!.trimEnd()).not.toMatch(/[\0-\x1f]/);
  const line = JSON.parse(logged[0]!);
  expect(line.err.message).toBe(`could not keep ${text}`);
  expect(JSON.parse(problem).requestId).toBe(line.requestId);
});
