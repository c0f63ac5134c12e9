import type { ServerResponse } from "node:http";
import { createGzip } from "node:zlib";
import { expect, test, vi } from "vitest";
import type { OutboundRequest } from "./egress.ts";
import { readText, requireFailure, requireResponse } from "./testing/outcomes.ts";
import { openEgress, request, startHttpTarget } from "./testing/targets.ts";

/** Sends these texts one after the other, and then no end. */
async function send(headers: Record<string, string>, texts: string[], more: Partial<OutboundRequest>) {
  const responses: ServerResponse[] = [];
  const target = await startHttpTarget((_, response) => {
    responses.push(response);
    response.writeHead(200, headers);
    for (const text of texts) response.write(text);
  });
  const result = await openEgress().send(request(target.origin, { timeoutMilliseconds: 20_000, ...more }));
  return { result, target };
}

const three = ["data: 1\n\nda", "ta: 2\n\ndata: 3\n\n"];

test.each([
  ["text/event-stream", three, "data: 1\n\ndata: 2\n\n"],
  ["application/x-ndjson", ["1\n2", "2\n3\n"], "1\n22\n"],
  ["application/json-seq", ["\x1e1\n\x1e{", "}\n\x1e3\n"], "\x1e1\n\x1e{}\n"],
])("an endless %s is read until its second item, and the connection closed", async (type, texts, body) => {
  const { result, target } = await send({ "content-type": type }, texts, { readUntil: { kind: "items", count: 2 } });
  const response = requireResponse(result);
  expect(readText(response)).toBe(body);
  expect(response).toMatchObject({ stopped: "items", truncated: false });
  await vi.waitFor(() => expect(target.sockets.size).toBe(0));
});

test("an endless response is read for the given seconds, also when it is compressed", async () => {
  const zip = createGzip();
  const target = await startHttpTarget((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
    zip.pipe(response);
    zip.write("data: hello\n\n");
    zip.flush();
  });
  const readUntil = { kind: "seconds", seconds: 1 } as const;
  const response = requireResponse(
    await openEgress().send(request(target.origin, { timeoutMilliseconds: 20_000, readUntil })),
  );
  expect(readText(response)).toBe("data: hello\n\n");
  expect(response).toMatchObject({ stopped: "seconds", truncated: false });
  expect(response.phases.receive).toBeGreaterThan(900);
  await vi.waitFor(() => expect(target.sockets.size).toBe(0));
});

test("a response that ends before is complete, and one of another type is read to its end", async () => {
  const target = await startHttpTarget((incoming, response) => {
    response.setHeader("content-type", incoming.url === "/text" ? "text/plain" : "text/event-stream");
    response.end(three.join(""));
  });
  const egress = openEgress();
  for (const [path, count] of [
    ["/", 9],
    ["/text", 1],
  ] as const) {
    const readUntil = { kind: "items", count } as const;
    const response = requireResponse(await egress.send(request(`${target.origin}${path}`, { readUntil })));
    expect([readText(response), response.stopped]).toEqual([three.join(""), undefined]);
  }
  expect(target.connections()).toBe(1);
});

test("a time-out before there is enough fails with what came", async () => {
  const { result } = await send({ "content-type": "text/event-stream" }, three, {
    readUntil: { kind: "items", count: 9 },
    timeoutMilliseconds: 400,
  });
  expect(requireFailure(result)).toMatchObject({ code: "timeout", phase: "receive" });
  if (result.outcome === "failed") expect(new TextDecoder().decode(result.partial?.body)).toBe(three.join(""));
});
