import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { answered, failed, textOf } from "./testing/outcomes.ts";
import { openEgress, request, startHttpTarget, startRawTarget, startScriptedTarget } from "./testing/targets.ts";

test("an answer comes with its status, raw headers in order, and its body", async () => {
  const target = await startScriptedTarget(
    "HTTP/1.1 201 Made It\r\nX-One: a\r\nx-two: b\r\nX-One: caf\xe9\r\nContent-Length: 5\r\n\r\nhello",
  );
  const response = answered(await openEgress().send(request(`${target.origin}/pets?limit=1#part`)));
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
  expect(textOf(response)).toBe("hello");
  expect(response.tls).toBeUndefined();
});

test("the request arrives as it was given, with Host, User-Agent and Accept-Encoding filled in", async () => {
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
  answered(await openEgress().send(request(url, { method: "PATCH", headers, body: '{"a":"é"}' })));
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

test("a caller's Accept-Encoding and User-Agent are left alone", async () => {
  const target = await startHttpTarget((incoming, answer) => answer.end(JSON.stringify(incoming.headers)));
  const headers: [string, string][] = [
    ["ACCEPT-ENCODING", "identity"],
    ["user-AGENT", "tester/1"],
  ];
  const received = JSON.parse(textOf(answered(await openEgress().send(request(target.origin, { headers })))));
  expect(received).toMatchObject({ "accept-encoding": "identity", "user-agent": "tester/1" });
});

test("HEAD, 204 and 304 have no body", async () => {
  const target = await startHttpTarget((incoming, answer) => {
    answer.writeHead(Number(incoming.url?.slice(1)), { "content-encoding": "gzip" }).end();
  });
  const egress = openEgress();
  for (const [method, status] of [
    ["HEAD", 200],
    ["GET", 204],
    ["GET", 304],
    ["GET", 200],
  ] as const) {
    const response = answered(await egress.send(request(`${target.origin}/${status}`, { method })));
    expect([response.status, response.bodyBytes]).toEqual([status, 0]);
  }
});

test("a reused connection has no dns, connect and tls time, and the phases add up to the total", async () => {
  const target = await startHttpTarget((_incoming, answer) => setTimeout(() => answer.end("late"), 30));
  const egress = openEgress();
  const first = answered(await egress.send(request(`http://localhost:${target.port}/`))).phases;
  const second = answered(await egress.send(request(`http://localhost:${target.port}/`))).phases;
  expect(first.dns).toBeGreaterThan(0);
  expect(first.connect).toBeGreaterThan(0);
  expect(second).toMatchObject({ dns: 0, connect: 0, tls: 0 });
  expect(target.connections()).toBe(1);
  for (const { total, ...parts } of [first, second]) {
    expect(parts.wait).toBeGreaterThan(20);
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(total, 3);
  }
});

test("organizations never share a connection", async () => {
  const target = await startHttpTarget((_incoming, answer) => answer.end());
  const egress = openEgress();
  for (const pool of ["one", "two", "one", undefined, "two"])
    answered(await egress.send(request(target.origin, { pool })));
  expect(target.connections()).toBe(3);
});

test("requests run side by side, and those beyond the connection limit wait as blocked", async () => {
  const target = await startHttpTarget((_incoming, answer) => setTimeout(() => answer.end(), 100));
  const egress = openEgress();
  const results = await Promise.all(Array.from({ length: 200 }, () => egress.send(request(target.origin))));
  const blocked = results.map((result) => answered(result).phases.blocked);
  expect(target.connections()).toBe(128);
  expect(blocked.filter((milliseconds) => milliseconds > 50).length).toBeGreaterThanOrEqual(72);
});

test("idle connections are closed after the server's keep-alive time", async () => {
  const target = await startScriptedTarget("HTTP/1.1 200 OK\r\nKeep-Alive: timeout=3\r\nContent-Length: 0\r\n\r\n");
  answered(await openEgress().send(request(target.origin)));
  expect(target.sockets.size).toBe(1);
  await sleep(1_300);
  expect(target.sockets.size).toBe(0);
});

/** Answers the first request of its first connection, then closes that connection on the next without an answer. */
async function startForgetfulTarget() {
  const seen: string[] = [];
  const target = await startRawTarget((socket) => {
    const isFirst = target.connections() === 1;
    let requests = 0;
    socket.on("data", (chunk) => {
      seen.push(chunk.toString().split(" ")[0]!);
      requests += 1;
      if (isFirst && requests > 1) socket.destroy();
      else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    });
  });
  return { ...target, seen };
}

test("GET on a kept connection that the server just closed is sent once more, on a new one", async () => {
  const target = await startForgetfulTarget();
  const egress = openEgress();
  answered(await egress.send(request(target.origin)));
  expect(textOf(answered(await egress.send(request(target.origin))))).toBe("ok");
  expect(target.seen).toEqual(["GET", "GET", "GET"]);
  expect(target.connections()).toBe(2);
});

test("POST on a kept connection that the server just closed is not repeated", async () => {
  const target = await startForgetfulTarget();
  const egress = openEgress();
  answered(await egress.send(request(target.origin)));
  const failure = failed(await egress.send(request(target.origin, { method: "POST", body: "x" })));
  expect(failure.code).toBe("connection_reset");
  expect(target.seen).toEqual(["GET", "POST"]);
});

test("GET on a new connection is not repeated when the server closes it", async () => {
  const target = await startRawTarget((socket) => socket.once("data", () => socket.destroy()));
  const failure = failed(await openEgress().send(request(target.origin)));
  expect(failure).toMatchObject({ code: "connection_reset", phase: "wait" });
  expect(target.connections()).toBe(1);
});

test("a port where nothing listens is a refused connection", async () => {
  const target = await startRawTarget(() => {});
  for (const socket of target.sockets) socket.destroy();
  const failure = failed(await openEgress().send(request("http://127.0.0.1:1025/")));
  expect(failure).toMatchObject({ code: "connection_refused", phase: "connect" });
  expect(failure.phases?.total).toBeGreaterThan(0);
});

test("localhost finds a server that listens on one of its two addresses only", async () => {
  const target = await startHttpTarget((_incoming, answer) => answer.end("here"));
  const resolve = async () => [
    { address: "::1", family: 6 },
    { address: "127.0.0.1", family: 4 },
  ];
  expect(textOf(answered(await openEgress({ resolve }).send(request(`http://localhost:${target.port}`))))).toBe("here");
});

test("a name that does not exist, or has no address, is a failed lookup", async () => {
  const unknown = async () => Promise.reject(Object.assign(new Error("no"), { code: "ENOTFOUND" }));
  const empty = async () => [];
  for (const resolve of [unknown, empty]) {
    const failure = failed(await openEgress({ resolve }).send(request("http://nowhere.test/")));
    expect(failure).toMatchObject({ code: "dns_failed", phase: "dns" });
    expect(failure.detail).toContain("nowhere.test");
  }
});

test("a cancelled request ends at once, before or while it runs", async () => {
  const target = await startRawTarget(() => {});
  const egress = openEgress();
  expect(failed(await egress.send(request(target.origin, { signal: AbortSignal.abort() }))).code).toBe("cancelled");
  expect(target.connections()).toBe(0);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 50);
  const failure = failed(await egress.send(request(target.origin, { signal: controller.signal })));
  expect(failure).toMatchObject({ code: "cancelled", phase: "wait" });
  expect(failure.phases?.total).toBeLessThan(1_000);
});

test("closing waits for the requests under way and takes no more", async () => {
  const target = await startHttpTarget((_incoming, answer) => setTimeout(() => answer.end("done"), 80));
  const egress = openEgress();
  const underWay = egress.send(request(target.origin));
  await sleep(20);
  const closed = egress.close();
  expect(failed(await egress.send(request(target.origin))).code).toBe("cancelled");
  await closed;
  expect(textOf(answered(await underWay))).toBe("done");
  await sleep(20);
  expect(target.sockets.size).toBe(0);
});

test("many requests under one signal leave no listener behind and cause no warning", async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on("warning", warn);
  onTestFinished(() => void process.off("warning", warn));
  const target = await startHttpTarget((_incoming, answer) => answer.end());
  const egress = openEgress();
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 100 }, () => egress.send(request(target.origin, { signal }))));
  await sleep(10);
  expect(warnings).toEqual([]);
});

test("S06: proxy variables of the environment are ignored", async () => {
  const proxy = await startRawTarget(() => {});
  const target = await startHttpTarget((_incoming, answer) => answer.end("direct"));
  for (const name of ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"]) {
    const before = process.env[name];
    process.env[name] = proxy.origin;
    onTestFinished(() => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    });
  }
  expect(textOf(answered(await openEgress().send(request(target.origin))))).toBe("direct");
  expect(proxy.connections()).toBe(0);
});

test("S11: header injection and headers that frame the message are refused before a connection", async () => {
  const target = await startRawTarget(() => {});
  const egress = openEgress();
  const injected: [string, string][] = [
    ["X-A", "b\r\nX-Injected: 1"],
    ["X-A", "b\nX-Injected: 1"],
    ["X-A", "b\r"],
    ["X-A", "b\0"],
    ["X-A", "b\r\n folded"],
    ["X-A\r\nX-Injected", "1"],
    ["X-A ", "1"],
    ["X:A", "1"],
    ["", "1"],
    ["X-Ä", "1"],
    ["X-A", "日本"],
    ["X-A", "\x7f"],
    ["Host", "internal"],
    ["content-length", "0"],
    ["Transfer-Encoding", "chunked"],
    ["Connection", "X-A"],
    ["Expect", "100-continue"],
    ["Upgrade", "h2c"],
    ["Keep-Alive", "timeout=9"],
    ["TE", "trailers"],
    ["Trailer", "X"],
    ["Proxy-Authorization", "Basic x"],
    ["proxy-connection", "close"],
  ];
  for (const header of injected) {
    const failure = failed(await egress.send(request(target.origin, { headers: [header] })));
    expect([header, failure.code]).toEqual([header, "invalid_header"]);
    expect(failure.detail).not.toMatch(/[\r\n\0]/);
  }
  for (const method of ["GET / HTTP/1.1\r\nX: 1\r\n\r\n", "G T", "", "CONNECT", "connect", "GÉT"]) {
    expect(failed(await egress.send(request(target.origin, { method }))).code).toBe("invalid_header");
  }
  expect(target.connections()).toBe(0);
});

test("S11: URLs with control characters, credentials, other schemes or no meaning are refused", async () => {
  const egress = openEgress();
  const urls = [
    "http://127.0.0.1:1/a\r\nX: 1",
    "http://127.0.0.1:1/a\nb",
    "http://127.0.\t0.1:1/",
    "http://127.0.0.1:1/\0",
    "\nhttp://a/",
    "http://user:secret@127.0.0.1:1/",
    "http://user@127.0.0.1:1/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:1/",
    "data:,x",
    "ftp://127.0.0.1/",
    "unix:/var/run/docker.sock",
    "javascript:1",
    "/relative",
    "",
    "http://",
    "http:///",
    "http://[fe80::1%25eth0]/",
    "http://127.0.0.1:0/",
    "http://127.0.0.1:65536/",
    "http://127.0.0.1:800000000000/",
    "http://256.1.1.1/",
    "http://1.2.3.4.5/",
  ];
  for (const url of urls) {
    const failure = failed(await egress.send(request(url)));
    // "http:///" names the host of nothing for the standard's parser or is refused by it; never a request.
    expect([url, failure.code]).toEqual([url, "invalid_url"]);
    expect(failure.detail).not.toContain("secret");
  }
});

test("S11: a path and query can't add lines to the request", async () => {
  let received = "";
  const target = await startRawTarget((socket) => {
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      socket.end("HTTP/1.1 204 No Content\r\n\r\n");
    });
  });
  const url = `${target.origin}/a%0d%0aX-Injected:1 HTTP/1.1?x=%0d%0a\u2028\u560d\u560aX:1`;
  answered(await openEgress().send(request(url)));
  expect(received.split("\r\n").filter((line) => line !== "")).toHaveLength(5);
  expect(received).not.toMatch(/^X/im);
});
