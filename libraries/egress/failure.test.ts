import { gzipSync } from "node:zlib";
import { errors } from "undici";
import { expect, test } from "vitest";
import { describeNetworkError, describeTlsError } from "./failure.ts";
import { readText, requireFailure, requireResponse } from "./testing/outcomes.ts";
import { openEgress, request, startScriptedTarget } from "./testing/targets.ts";

test.each<[method: string, head: string]>([
  ["GET", "304 Not Modified\r\nContent-Length: 5"],
  ["GET", "204 No Content\r\nContent-Length: 5"],
  ["GET", "204 No Content\r\nContent-Length: 5\r\nConnection: close"],
  ["GET", "304 Not Modified\r\nContent-Length: 5\r\nContent-Encoding: gzip"],
  ["HEAD", "200 OK\r\nContent-Length: 5"],
  ["HEAD", "200 OK\r\nTransfer-Encoding: chunked"],
])("%s answered by %s has no body, and the length of one is no error (RFC 9110, 8.6)", async (method, head) => {
  const target = await startScriptedTarget(`HTTP/1.1 ${head}\r\n\r\n`);
  const egress = openEgress();
  for (let number = 1; number <= 2; number += 1) {
    const response = requireResponse(await egress.send(request(target.origin, { method })));
    expect([readText(response), response.truncated]).toEqual(["", false]);
  }
});

test("bytes after a 204 are never read as the next response", async () => {
  const target = await startScriptedTarget("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello");
  const egress = openEgress();
  for (let number = 1; number <= 3; number += 1)
    expect(requireResponse(await egress.send(request(target.origin))).status).toBe(204);
});

const cutGzip = gzipSync("hello").subarray(0, -4);

test.each<[bytes: string | Buffer, code: string, detail: string]>([
  [
    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 9\r\n\r\nfour",
    "connection_reset",
    "The server closed the connection before the response was complete.",
  ],
  [
    "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nfour",
    "connection_reset",
    "The server closed the connection before the response was complete.",
  ],
  [
    "HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nfour",
    "connection_reset",
    "The server closed the connection before the response was complete.",
  ],
  [
    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "protocol_error",
    "The response is not valid HTTP/1.1.",
  ],
  [
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: a\0b\r\n\r\nhello",
    "protocol_error",
    "The response is not valid HTTP/1.1.",
  ],
  [
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n",
    "protocol_error",
    "The response is not valid HTTP/1.1: Invalid character in chunk size.",
  ],
  [
    Buffer.concat([
      Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${cutGzip.length}\r\n\r\n`),
      cutGzip,
    ]),
    "body_encoding_failed",
    "The response body ends before its gzip data does.",
  ],
  [
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",
    "body_encoding_failed",
    "The response body is not valid gzip.",
  ],
])("of %j the failure says what is known: %s", async (bytes, code, detail) => {
  const target = await startScriptedTarget(bytes, true);
  expect(requireFailure(await openEgress().send(request(target.origin)))).toMatchObject({ code, detail });
});

const coded = (code: string) => Object.assign(new Error(code), { code });

test.each<[error: Error, detail: string]>([
  // A firewall refuses, too.
  [coded("ECONNREFUSED"), "The connection was refused. Check that the API is running at this host and port."],
  // Any device on the way may reset a connection, and one that is open may time out.
  [coded("ECONNRESET"), "The connection was reset before the response was complete."],
  [coded("ETIMEDOUT"), "The host did not respond, and the connection timed out."],
  [coded("EPIPE"), "The connection was closed while the request was being sent."],
  // The request may have been sent.
  [new errors.InformationalError("socket idle timeout"), "The request failed: socket idle timeout."],
])("%s says no more than the error does", (error, detail) => {
  expect(describeNetworkError(error).detail).toBe(detail);
});

test("a TLS handshake that ends with the connection does not say who closed it", () => {
  expect(describeTlsError(coded("ECONNRESET")).detail).toBe("The connection was closed during the TLS handshake.");
});
