import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { InboundResponse } from "./egress.ts";
import { requireResponse } from "./testing/outcomes.ts";
import { openEgress, request, startHttpTarget } from "./testing/targets.ts";

const mebibyte = 1_048_576;
const maxBodyBytes = 40 * mebibyte;
const body = Buffer.alloc(3 * mebibyte, "0123456789abcdef");

const large = (origin: string, changes = {}) =>
  request(origin, { maxBodyBytes, sharesRoom: true, timeoutMilliseconds: 600_000, ...changes });

test.each<[string, (response: ServerResponse) => void]>([
  ["with a length", (response) => response.setHeader("content-length", body.length).end(body)],
  ["in chunks", (response) => response.write(body, () => response.end())],
  ["gzipped", (response) => response.setHeader("content-encoding", "gzip").end(gzipSync(body))],
])("a body of 3 MiB %s is read to its end", async (_, respond) => {
  const target = await startHttpTarget((_incoming, outgoing) => respond(outgoing));
  const response = requireResponse(await openEgress().send(large(target.origin)));
  expect([response.bodyBytes, response.truncated]).toEqual([body.length, false]);
  expect(Buffer.from(response.body).equals(body)).toBe(true);
  expect(response.body.buffer).toBeInstanceOf(SharedArrayBuffer);
  response.release?.();
});

test("a body beyond the limit is cut there, also one whose first MiB is free", async () => {
  const target = await startHttpTarget((_incoming, outgoing) => outgoing.end(body));
  for (const limit of [2 * mebibyte, mebibyte + 10]) {
    const response = requireResponse(await openEgress().send(large(target.origin, { maxBodyBytes: limit })));
    expect([response.bodyBytes, response.truncated]).toEqual([limit, true]);
    response.release?.();
  }
});

test("large bodies of unknown length wait until one is released, and that time is not measured", async () => {
  const target = await startHttpTarget((incoming, outgoing) => {
    if (incoming.url === "/gzip") outgoing.setHeader("content-encoding", "gzip").end(gzipSync(body));
    else outgoing.write(body, () => outgoing.end());
  });
  const egress = openEgress();
  const first = requireResponse(await egress.send(large(target.origin)));
  const done: InboundResponse[] = [];
  const startedAt = performance.now();
  const sends = ["/plain", "/gzip"].map(async (path) => {
    const response = requireResponse(await egress.send(large(target.origin + path)));
    done.push(response);
    response.release?.();
  });
  // Ample for reading 3 MiB: without waiting they would be done.
  await new Promise((resolve) => setTimeout(resolve, 500));
  const small = requireResponse(await egress.send(request(target.origin, { maxBodyBytes: 1_000 })));
  expect(small.truncated).toBe(true);
  expect(done).toEqual([]);
  first.release?.();
  await Promise.all(sends);
  for (const { bodyBytes, heldMilliseconds = 0, phases } of done) {
    expect(bodyBytes).toBe(body.length);
    expect(phases.total + heldMilliseconds).toBeLessThanOrEqual(performance.now() - startedAt);
  }
});

test("a request that is cancelled while it waits gives its place away, and of one that is cut off, what came is kept", async () => {
  const open: ServerResponse[] = [];
  const target = await startHttpTarget((_incoming, outgoing) => {
    open.push(outgoing);
    outgoing.write(body.subarray(0, 2 * mebibyte));
  });
  const egress = openEgress();
  const sending = egress.send(large(target.origin));
  const cancelling = new AbortController();
  const waiting = [egress.send(large(target.origin, { signal: cancelling.signal })), egress.send(large(target.origin))];
  await expect.poll(() => open.length).toBe(3);
  cancelling.abort();
  expect(await waiting[0]).toMatchObject({ outcome: "failed", failure: { code: "cancelled" } });
  for (const outgoing of open) outgoing.destroy();
  // Either may have the room that the other waits for.
  const keepPart = async (outcome: (typeof waiting)[number]) => {
    const result = await outcome;
    expect(result).toMatchObject({ outcome: "failed", failure: { code: "connection_reset" } });
    const { partial } = result as { partial?: InboundResponse };
    expect(partial!.bodyBytes).toBeGreaterThan(0);
    partial!.release?.();
  };
  await Promise.all([keepPart(sending), keepPart(waiting[1]!)]);
  const later = await startHttpTarget((_incoming, outgoing) => outgoing.end(body));
  expect(requireResponse(await egress.send(large(later.origin))).bodyBytes).toBe(body.length);
});
