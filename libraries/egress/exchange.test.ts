import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { requireFailureAfter400, within400 } from "./testing/deadlines.ts";
import { readText, requireFailure, requireResponse } from "./testing/outcomes.ts";
import { openEgress, request, startHttpTarget, startRawTarget, startScriptedTarget } from "./testing/targets.ts";

test("response headers named like an object's own members come as they were sent", async () => {
  const names = ["__proto__", "constructor", "__proto__", "toString", "hasOwnProperty"];
  const lines = names.map((name, index) => `${name}: ${index}\r\n`).join("");
  const target = await startScriptedTarget(`HTTP/1.1 200 OK\r\n${lines}Content-Length: 0\r\n\r\n`);
  const { headers } = requireResponse(await openEgress().send(request(target.origin)));
  expect(headers.slice(0, -1)).toEqual(names.map((name, index) => [name, String(index)]));
});

test("informational responses and trailers are no part of the response", async () => {
  const early = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n";
  const final = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n5\r\nhello\r\n0\r\nX: 1\r\n\r\n";
  const target = await startScriptedTarget(early + early + final);
  const response = requireResponse(await openEgress().send(request(target.origin)));
  expect([response.status, response.statusText, readText(response)]).toEqual([200, "OK", "hello"]);
  expect(response.headers).toEqual([
    ["Transfer-Encoding", "chunked"],
    ["Trailer", "X"],
  ]);
});

test("each of many requests written in one turn waits from its own last byte", async () => {
  const target = await startRawTarget(() => {});
  const egress = openEgress();
  const sendAll = () =>
    Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        egress.send(request(target.origin, { ...within400, method: "POST", body: Buffer.alloc(index * 1_000) })),
      ),
    );
  const failures: ReturnType<typeof requireFailure>[] = [];
  await requireFailureAfter400(target, async () => {
    const results = await sendAll();
    failures.push(...results.map(requireFailure));
    return results[0]!;
  });
  expect(failures.map(({ phase }) => phase)).toEqual(Array.from({ length: 20 }, () => "wait"));
  for (const { phases } of failures) expect(phases!.wait).toBeGreaterThan(0);
});

test("a compressed body longer than what the decoder takes at once is read to its end", async () => {
  const body = randomBytes(300_000);
  const target = await startHttpTarget((_incoming, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(body));
  });
  const egress = openEgress();
  for (let index = 0; index < 3; index += 1) {
    const response = requireResponse(await egress.send(request(target.origin, { timeoutMilliseconds: 300_000 })));
    expect(Buffer.from(response.body).equals(body)).toBe(true);
  }
  expect(target.connections()).toBe(1);
});
