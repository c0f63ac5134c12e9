import {
  createServer as createPlainHttp2Server,
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type SecureServerOptions,
  type ServerHttp2Session,
} from "node:http2";
import { createServer as createHttp1Server } from "node:https";
import { createServer as createTlsServer } from "node:tls";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { AllowedTarget } from "./egress.ts";
import { type Authority, createAuthority } from "./testing/certificates.ts";
import { readText, requireFailure, requireResponse } from "./testing/outcomes.ts";
import { openEgress, request, resolveNames, start } from "./testing/targets.ts";

let authority: Authority;

beforeAll(async () => {
  authority = await createAuthority();
});

afterAll(() => authority.remove());

type Listener = (incoming: Http2ServerRequest, outgoing: Http2ServerResponse) => void;

/** A server that prefers HTTP/2, and an egress that trusts it. */
async function startSecure(listener: Listener, options: SecureServerOptions = {}) {
  const sessions: ServerHttp2Session[] = [];
  const certificate = await authority.issue("api.test", "DNS:api.test", 30);
  const server = createSecureServer({ ...certificate, ...options }, listener);
  server.on("session", (session) => sessions.push(session));
  const target = await start(server, "127.0.0.1", "https");
  const allow: AllowedTarget[] = [{ kind: "name", name: "api.test", port: target.port }];
  const egress = openEgress({ allow, resolve: resolveNames({ "api.test": ["127.0.0.1"] }).resolve });
  const send = (path = "/", more: Partial<Parameters<typeof request>[1]> = {}) =>
    egress.send(request(`https://api.test:${target.port}${path}`, { tls: { ca: authority.ca }, ...more }));
  return { ...target, sessions, egress, send };
}

const echo: Listener = (incoming, outgoing) => {
  let received = "";
  incoming.setEncoding("utf8");
  incoming.on("data", (chunk: string) => {
    received += chunk;
  });
  incoming.on("end", () => {
    const { method, url, httpVersion, headers } = incoming;
    outgoing.setHeader("content-type", "application/json");
    outgoing.end(JSON.stringify({ method, url, httpVersion, headers, received }));
  });
};

test.each([
  ["offers only HTTP/2", { allowHTTP1: false }],
  ["offers both", { allowHTTP1: true }],
])("a server that %s gets HTTP/2, and the result names it", async (_, options) => {
  const target = await startSecure(echo, options);
  const response = requireResponse(
    await target.send("/orders?id=1", {
      method: "POST",
      headers: [
        ["X-Trace", "a"],
        ["Content-Type", "text/plain"],
      ],
      body: Buffer.from("größer"),
    }),
  );
  expect(response).toMatchObject({ status: 200, httpVersion: "2", transferredBytes: response.bodyBytes });
  const seen = JSON.parse(readText(response)) as { headers: Record<string, string> };
  expect(seen).toMatchObject({ method: "POST", url: "/orders?id=1", httpVersion: "2.0", received: "größer" });
  expect(seen.headers).toMatchObject({
    ":authority": `api.test:${target.port}`,
    "x-trace": "a",
    "content-type": "text/plain",
    "content-length": "8",
  });
  expect(response.tls).toMatchObject({ protocol: "TLSv1.3", subject: "O=Example, CN=api.test", daysLeft: 29 });
});

test("a server without HTTP/2 gets HTTP/1.1", async () => {
  const certificate = await authority.issue("address", "IP:127.0.0.1", 30);
  const server = createHttp1Server(certificate, (incoming, outgoing) => outgoing.end(incoming.httpVersion));
  const target = await start(server, "127.0.0.1", "https");
  const response = requireResponse(await openEgress().send(request(target.origin, { tls: { ca: authority.ca } })));
  expect([response.httpVersion, readText(response)]).toEqual(["1.1", "1.1"]);
});

test("phases of the first and of later HTTP/2 requests are exact, over one connection", async () => {
  const target = await startSecure((_, outgoing) => {
    setTimeout(() => {
      outgoing.write("first ");
      setTimeout(() => outgoing.end("second"), 60);
    }, 80);
  });
  const first = requireResponse(await target.send());
  expect(first.phases.tls).toBeGreaterThan(0);
  expect(first.phases.connect).toBeGreaterThan(0);
  expect(first.phases.wait).toBeGreaterThanOrEqual(75);
  expect(first.phases.receive).toBeGreaterThanOrEqual(55);
  const second = requireResponse(await target.send());
  expect(second.phases).toMatchObject({ dns: 0, connect: 0, tls: 0 });
  expect(second.phases.wait).toBeGreaterThanOrEqual(75);
  const { total, ...parts } = second.phases;
  expect(Object.values(parts).reduce((sum, one) => sum + one)).toBeCloseTo(total, 3);
  expect(target.connections()).toBe(1);
});

test("repeated headers, empty bodies and methods without a body arrive as over HTTP/1.1", async () => {
  const target = await startSecure((incoming, outgoing) => {
    outgoing.setHeader("set-cookie", ["a=1", "b=2"]);
    outgoing.setHeader("x-method", incoming.method);
    outgoing.writeHead(incoming.method === "DELETE" ? 204 : 200).end();
  });
  for (const method of ["GET", "HEAD", "DELETE", "OPTIONS", "PATCH"]) {
    const response = requireResponse(await target.send("/", { method }));
    expect(response.status, method).toBe(method === "DELETE" ? 204 : 200);
    expect(response.bodyBytes).toBe(0);
    expect(response.headers.filter(([name]) => name === "set-cookie").map(([, value]) => value)).toEqual([
      "a=1",
      "b=2",
    ]);
    expect(response.headers).toContainEqual(["x-method", method]);
  }
});

test("header values beyond ASCII are sent and read as over HTTP/1.1", async () => {
  const target = await startSecure((incoming, outgoing) => {
    outgoing.setHeader("x-seen", incoming.headers["x-name"] ?? "");
    outgoing.end();
  });
  const response = requireResponse(await target.send("/", { headers: [["X-Name", "gr\u00f6\u00dfer"]] }));
  expect(response.headers).toContainEqual(["x-seen", "gr\u00f6\u00dfer"]);
});

test("an idle HTTP/2 connection is closed after seconds, like any other", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const target = await startSecure(echo);
    requireResponse(await target.send());
    expect(target.sockets.size).toBe(1);
    await vi.advanceTimersByTimeAsync(5_000);
    vi.useRealTimers();
    await vi.waitFor(() => expect(target.sockets.size).toBe(0));
    requireResponse(await target.send());
    expect(target.connections()).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});

test("a server that says goodbye to a kept HTTP/2 connection costs no request", async () => {
  const target = await startSecure(echo);
  requireResponse(await target.send());
  target.sessions[0]!.goaway();
  target.sessions[0]!.close();
  expect(requireResponse(await target.send()).status).toBe(200);
});

test.each([
  [
    "resets the stream",
    (outgoing: Http2ServerResponse) => outgoing.stream.close(2),
    /reset the HTTP\/2 stream .*INTERNAL_ERROR/,
  ],
  [
    "refuses the stream",
    (outgoing: Http2ServerResponse) => outgoing.stream.close(7),
    /reset the HTTP\/2 stream .*REFUSED_STREAM/,
  ],
  [
    "wants HTTP/1.1",
    (outgoing: Http2ServerResponse) => outgoing.stream.close(13),
    /reset the HTTP\/2 stream .*HTTP_1_1_REQUIRED/,
  ],
  [
    "closes the connection",
    (outgoing: Http2ServerResponse) => outgoing.stream.session?.destroy(),
    /closed the connection|reset/,
  ],
])("a server that %s is reported in words", async (_, end, detail) => {
  const target = await startSecure((_, outgoing) => end(outgoing));
  const failure = requireFailure(await target.send("/", { method: "POST" }));
  expect(failure.detail).toMatch(detail);
  expect(failure.code).toBe("connection_reset");
  expect(failure.phase).toBe("wait");
});

test("what came of an HTTP/2 response before its stream was reset is kept", async () => {
  const target = await startSecure((_, outgoing) => {
    outgoing.setHeader("content-type", "text/plain");
    outgoing.write("the first half", () => setTimeout(() => outgoing.stream.close(2), 30));
  });
  const result = await target.send();
  expect(result).toMatchObject({ outcome: "failed", failure: { code: "connection_reset", phase: "receive" } });
  if (result.outcome !== "failed") throw new Error("It did not fail.");
  expect(result.partial).toMatchObject({ status: 200, httpVersion: "2" });
  expect(new TextDecoder().decode(result.partial?.body)).toBe("the first half");
});

test("a time-out during an HTTP/2 exchange closes its connection, and the next request works", async () => {
  const target = await startSecure((incoming, outgoing) => {
    if (incoming.url === "/fast") outgoing.end("fast");
  });
  requireResponse(await target.send("/fast"));
  const failure = requireFailure(await target.send("/slow", { timeoutMilliseconds: 150 }));
  expect(failure).toMatchObject({ code: "timeout", phase: "wait" });
  await vi.waitFor(() => expect(target.sockets.size).toBe(0));
  expect(readText(requireResponse(await target.send("/fast")))).toBe("fast");
});

test("many parallel requests over HTTP/2 all arrive", async () => {
  const target = await startSecure(echo);
  const results = await Promise.all(Array.from({ length: 60 }, (_, number) => target.send(`/${number}`)));
  const urls = results.map((result) => (JSON.parse(readText(requireResponse(result))) as { url: string }).url);
  expect(urls).toEqual(Array.from({ length: 60 }, (_, number) => `/${number}`));
});

test("a server that speaks neither HTTP version is reported in words", async () => {
  const certificate = await authority.issue("api.test", "DNS:api.test", 30);
  const server = createTlsServer({ ...certificate, ALPNProtocols: ["mqtt"] });
  server.on("tlsClientError", () => {});
  const target = await start(server, "127.0.0.1", "https");
  const allow: AllowedTarget[] = [{ kind: "name", name: "api.test", port: target.port }];
  const egress = openEgress({ allow, resolve: resolveNames({ "api.test": ["127.0.0.1"] }).resolve });
  const result = await egress.send(request(`https://api.test:${target.port}/`, { tls: { ca: authority.ca } }));
  expect(requireFailure(result)).toMatchObject({
    code: "tls_failed",
    detail: "The server speaks neither HTTP/2 nor HTTP/1.1 on this port.",
  });
});

test("a server that speaks HTTP/2 without TLS is reported in words", async () => {
  const target = await start(createPlainHttp2Server(), "127.0.0.1");
  const failure = requireFailure(await openEgress().send(request(`${target.origin}/`)));
  expect(failure).toMatchObject({
    code: "protocol_error",
    detail: "The server did not respond in HTTP/1.1. Without TLS, HTTP/2 is not supported.",
  });
});
