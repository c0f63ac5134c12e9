import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { readText, requireFailure, requireResponse } from "./testing/outcomes.ts";
import { openEgress, request, startHttpTarget, startRawTarget, startScriptedTarget } from "./testing/targets.ts";

test("a response includes its status, raw headers in order, and its body", async () => {
  const target = await startScriptedTarget(
    "HTTP/1.1 201 Made It\r\nX-One: a\r\nx-two: b\r\nX-One: caf\xe9\r\nContent-Length: 5\r\n\r\nhello",
  );
  const response = requireResponse(await openEgress().send(request(`${target.origin}/pets?limit=1#part`)));
  expect(response).toMatchObject({
    url: `${target.origin}/pets?limit=1#part`,
    status: 201,
    statusText: "Made It",
    httpVersion: "1.1",
    bodyBytes: 5,
    transferredBytes: 5,
    truncated: false,
  });
  expect(response.headers.slice(0, 2)).toEqual([
    ["X-One", "a"],
    ["x-two", "b"],
  ]);
  expect(readText(response)).toBe("hello");
  expect(response.tls).toBeUndefined();
});

test("the request is sent as given, with Host, User-Agent and Accept-Encoding added", async () => {
  let received = "";
  const target = await startRawTarget((socket) => {
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      socket.end("HTTP/1.1 204 No Content\r\n\r\n");
    });
  });
  const headers: [string, string][] = [
    ["X-Trace", "1"],
    ["X-Trace", "2"],
    ["Content-Type", "application/json"],
  ];
  const url = `${target.origin}/a%2Fb?q=%20x#fragment`;
  requireResponse(await openEgress().send(request(url, { method: "PATCH", headers, body: '{"a":"é"}' })));
  expect(received.split("\r\n")).toEqual([
    "PATCH /a%2Fb?q=%20x HTTP/1.1",
    `host: 127.0.0.1:${target.port}`,
    "connection: keep-alive",
    "X-Trace: 1",
    "X-Trace: 2",
    "Content-Type: application/json",
    "accept-encoding: gzip, deflate, br",
    "user-agent: api-assurance-portal",
    "content-length: 10",
    "",
    Buffer.from('{"a":"é"}').toString("latin1"),
  ]);
});

test("a caller's Accept-Encoding and User-Agent are preserved", async () => {
  const target = await startHttpTarget((incoming, outgoing) => outgoing.end(JSON.stringify(incoming.headers)));
  const headers: [string, string][] = [
    ["ACCEPT-ENCODING", "identity"],
    ["user-AGENT", "tester/1"],
  ];
  const received = JSON.parse(readText(requireResponse(await openEgress().send(request(target.origin, { headers })))));
  expect(received).toMatchObject({ "accept-encoding": "identity", "user-agent": "tester/1" });
});

test("HEAD, 204 and 304 have no body", async () => {
  const target = await startHttpTarget((incoming, outgoing) => {
    outgoing.writeHead(Number(incoming.url?.slice(1)), { "content-encoding": "gzip" }).end();
  });
  const egress = openEgress();
  for (const [method, status] of [
    ["HEAD", 200],
    ["GET", 204],
    ["GET", 304],
    ["GET", 200],
  ] as const) {
    const response = requireResponse(await egress.send(request(`${target.origin}/${status}`, { method })));
    expect([response.status, response.bodyBytes]).toEqual([status, 0]);
  }
});

test("a port without a listener is a refused connection", async () => {
  const target = await startRawTarget(() => {});
  for (const socket of target.sockets) socket.destroy();
  const failure = requireFailure(await openEgress().send(request("http://127.0.0.1:1025/")));
  expect(failure).toMatchObject({ code: "connection_refused", phase: "connect" });
  expect(failure.phases?.total).toBeGreaterThan(0);
});

test("localhost reaches a server that listens on only one of its two addresses", async () => {
  const target = await startHttpTarget((_incoming, outgoing) => outgoing.end("here"));
  const resolve = async () => [
    { address: "::1", family: 6 },
    { address: "127.0.0.1", family: 4 },
  ];
  expect(
    readText(requireResponse(await openEgress({ resolve }).send(request(`http://localhost:${target.port}`)))),
  ).toBe("here");
});

test("a name that does not exist, or has no address, is a failed lookup", async () => {
  const unknown = async () => Promise.reject(Object.assign(new Error("no"), { code: "ENOTFOUND" }));
  const empty = async () => [];
  for (const resolve of [unknown, empty]) {
    const failure = requireFailure(await openEgress({ resolve }).send(request("http://nowhere.test/")));
    expect(failure).toMatchObject({ code: "dns_failed", phase: "dns" });
    expect(failure.detail).toContain("nowhere.test");
  }
});

test("a cancelled request ends immediately, before or during its execution", async () => {
  const target = await startRawTarget(() => {});
  const egress = openEgress();
  expect(requireFailure(await egress.send(request(target.origin, { signal: AbortSignal.abort() }))).code).toBe(
    "cancelled",
  );
  expect(target.connections()).toBe(0);
  const controller = new AbortController();
  const silent = await startRawTarget((socket) => socket.once("data", () => controller.abort()));
  const failure = requireFailure(await egress.send(request(silent.origin, { signal: controller.signal })));
  expect(failure).toMatchObject({ code: "cancelled", phase: "wait" });
});

test("closing waits for pending requests and accepts no more", async () => {
  const pendingResponses: ServerResponse[] = [];
  const target = await startHttpTarget((_incoming, outgoing) => pendingResponses.push(outgoing));
  const egress = openEgress();
  const pendingRequest = egress.send(request(target.origin));
  await expect.poll(() => pendingResponses.length).toBe(1);
  const closed = egress.close();
  expect(requireFailure(await egress.send(request(target.origin))).code).toBe("cancelled");
  pendingResponses[0]!.end("done");
  await closed;
  expect(readText(requireResponse(await pendingRequest))).toBe("done");
  await expect.poll(() => target.sockets.size).toBe(0);
});

test("many requests sharing one signal leak no listeners and cause no warning", async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on("warning", warn);
  onTestFinished(() => void process.off("warning", warn));
  const target = await startHttpTarget((_incoming, outgoing) => outgoing.end());
  const egress = openEgress();
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 100 }, () => egress.send(request(target.origin, { signal }))));
  await sleep(10);
  expect(warnings).toEqual([]);
});

test("S06: proxy variables of the environment are ignored", async () => {
  const proxy = await startRawTarget(() => {});
  const target = await startHttpTarget((_incoming, outgoing) => outgoing.end("direct"));
  for (const name of ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"]) {
    const before = process.env[name];
    process.env[name] = proxy.origin;
    onTestFinished(() => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    });
  }
  expect(readText(requireResponse(await openEgress().send(request(target.origin))))).toBe("direct");
  expect(proxy.connections()).toBe(0);
});
