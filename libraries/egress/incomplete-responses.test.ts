import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { InboundResponse, OutboundResult } from "./egress.ts";
import { requireFailureAfter400, within400 } from "./testing/deadlines.ts";
import { readText, requireFailure } from "./testing/outcomes.ts";
import { openEgress, request, startRawTarget } from "./testing/targets.ts";

const text = JSON.stringify(Array.from({ length: 2_000 }, (_, index) => ({ id: index, name: `pet ${index}` })));

function requirePartial(result: OutboundResult): InboundResponse {
  requireFailure(result);
  return (result as Extract<OutboundResult, { outcome: "failed" }>).partial!;
}

async function sendTo(respond: (socket: Socket) => void): Promise<OutboundResult> {
  const target = await startRawTarget((socket) => socket.once("data", () => respond(socket)));
  return openEgress().send(request(target.origin));
}

const sent = (head: string, body: string | Buffer) =>
  Buffer.concat([Buffer.from(`HTTP/1.1 201 Made\r\nX-Id: 7\r\n${head}\r\n\r\n`, "latin1"), Buffer.from(body)]);

const gzipped = gzipSync(text);
const corrupted = Buffer.from(gzipped).fill(0xff, 20, 60);

test.each<[name: string, bytes: Buffer, code: string, body: string]>([
  ["a body shorter than its Content-Length", sent("Content-Length: 9", "four"), "connection_reset", "four"],
  ["a chunk cut off", sent("Transfer-Encoding: chunked", "9\r\nfour"), "connection_reset", "four"],
  ["a broken chunk", sent("Transfer-Encoding: chunked", "4\r\nfour\r\nzz\r\nno"), "protocol_error", "four"],
  [
    "gzip cut off by the server",
    sent(`Content-Encoding: gzip\r\nContent-Length: ${gzipped.length - 9}`, gzipped.subarray(0, -9)),
    "body_encoding_failed",
    text,
  ],
  ["no gzip at all", sent("Content-Encoding: gzip\r\nContent-Length: 4", "four"), "body_encoding_failed", "four"],
  [
    "corrupted gzip",
    sent(`Content-Encoding: gzip\r\nContent-Length: ${corrupted.length}`, corrupted),
    "body_encoding_failed",
    "",
  ],
  ["an unknown coding", sent("Content-Encoding: compress\r\nContent-Length: 4", "four"), "body_encoding_failed", ""],
])("of a response with %s, the head and the part that came are kept", async (_, bytes, code, body) => {
  const result = await sendTo((socket) => socket.end(bytes));
  expect(requireFailure(result)).toMatchObject({ code, phase: "receive" });
  const partial = requirePartial(result);
  expect(partial).toMatchObject({ status: 201, statusText: "Made", bodyBytes: body.length });
  expect(partial.headers[0]).toEqual(["X-Id", "7"]);
  expect(readText(partial)).toBe(body);
  expect(partial.phases.total).toBeGreaterThan(0);
});

test("of a response whose connection is reset in the body, the part before is kept, decoded", async () => {
  const half = gzipped.subarray(0, gzipped.length / 2);
  const result = await sendTo((socket) => {
    socket.write(sent(`Content-Encoding: gzip\r\nContent-Length: ${gzipped.length}`, half), () =>
      setTimeout(() => socket.resetAndDestroy(), 20),
    );
  });
  expect(requireFailure(result).code).toBe("connection_reset");
  const body = readText(requirePartial(result));
  expect(body.length).toBeGreaterThan(1_000);
  expect(text.startsWith(body)).toBe(true);
});

test("of a response that the deadline ends, the part before is kept", async () => {
  const target = await startRawTarget((socket) =>
    socket.once("data", () => socket.write(sent("Content-Length: 9", "four"))),
  );
  let result: OutboundResult | undefined;
  const failure = await requireFailureAfter400(target, async () => {
    result = await openEgress().send(request(target.origin, within400));
    return result;
  });
  expect(failure.code).toBe("timeout");
  expect(readText(requirePartial(result!))).toBe("four");
});

test("a failure before the head of a response has no part of one, nor has a cancelled request", async () => {
  expect(await sendTo((socket) => socket.end("HTTP/1.1 200 OK\r\nX: "))).not.toHaveProperty("partial");
  const cancelling = new AbortController();
  const target = await startRawTarget((socket) =>
    socket.once("data", () => socket.write(sent("Content-Length: 9", "four"), () => cancelling.abort())),
  );
  const result = await openEgress().send(request(target.origin, { signal: cancelling.signal }));
  expect(requireFailure(result).code).toBe("cancelled");
  expect(result).not.toHaveProperty("partial");
});
