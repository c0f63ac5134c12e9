import { expect, test } from "vitest";
import { requireFailure, requireResponse } from "./testing/outcomes.ts";
import { openEgress, request, startRawTarget } from "./testing/targets.ts";

test("S11: header injection and headers that frame the message are refused before a connection is opened", async () => {
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
    const failure = requireFailure(await egress.send(request(target.origin, { headers: [header] })));
    expect([header, failure.code]).toEqual([header, "invalid_header"]);
    expect(failure.detail).not.toMatch(/[\r\n\0]/);
  }
  for (const method of ["GET / HTTP/1.1\r\nX: 1\r\n\r\n", "G T", "", "CONNECT", "connect", "GÉT"]) {
    expect(requireFailure(await egress.send(request(target.origin, { method }))).code).toBe("invalid_header");
  }
  expect(target.connections()).toBe(0);
});

test("S11: URLs with control characters, credentials or other schemes, and malformed URLs, are refused", async () => {
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
    const failure = requireFailure(await egress.send(request(url)));
    // The standard's parser either reads the path of "http:///" as the host or refuses it; no request is sent either
    // way.
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
  requireResponse(await openEgress().send(request(url)));
  expect(received.split("\r\n").filter((line) => line !== "")).toHaveLength(5);
  expect(received).not.toMatch(/^X/im);
});
