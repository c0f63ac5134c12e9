import zlib, { brotliCompressSync, constants, createGzip, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readText, requireFailure, requireResponse } from "./testing/outcomes.ts";
import { openEgress, request, startHttpTarget } from "./testing/targets.ts";

/** Absent before Node 22.15. */
const { zstdCompressSync } = zlib as unknown as { zstdCompressSync?(data: string | Buffer): Buffer };

const text = JSON.stringify(Array.from({ length: 500 }, (_, index) => ({ id: index, name: `pet ${index}` })));

async function sendEncoded(body: Buffer, contentEncoding: string, changes = {}) {
  const target = await startHttpTarget((_incoming, outgoing) => {
    outgoing.writeHead(200, { "content-encoding": contentEncoding }).end(body);
  });
  return openEgress().send(request(target.origin, changes));
}

test("gzip, both variants of deflate, br, and two codings applied in sequence are decoded", async () => {
  const encoded: [string, Buffer][] = [
    ["gzip", gzipSync(text)],
    ["x-gzip", gzipSync(text)],
    ["GZIP", gzipSync(text)],
    ["deflate", deflateSync(text)],
    ["deflate", deflateRawSync(text)],
    ["br", brotliCompressSync(text)],
    ["identity", Buffer.from(text)],
    ["gzip, br", brotliCompressSync(gzipSync(text))],
    ["deflate, identity, gzip", gzipSync(deflateSync(text))],
  ];
  for (const [encoding, body] of encoded) {
    const response = requireResponse(await sendEncoded(body, encoding));
    expect([encoding, readText(response) === text, response.truncated]).toEqual([encoding, true, false]);
    expect(response).toMatchObject({ bodyBytes: Buffer.byteLength(text), transferredBytes: body.length });
  }
});

test("a body that arrives one byte at a time decodes to the same value", async () => {
  const body = gzipSync("hello");
  const target = await startHttpTarget(async (_incoming, outgoing) => {
    outgoing.writeHead(200, { "content-encoding": "gzip" });
    for (const byte of body) await new Promise((resolve) => outgoing.write(Buffer.of(byte), resolve));
    outgoing.end();
  });
  expect(readText(requireResponse(await openEgress().send(request(target.origin))))).toBe("hello");
});

test("H02: bombs in every coding stop at the cap and are marked truncated", async () => {
  const zeros = Buffer.alloc(64 * 1_048_576);
  const bombs: [string, Buffer][] = [
    ["gzip", gzipSync(zeros)],
    ["deflate", deflateSync(zeros)],
    ["br", brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
    ["gzip, gzip", gzipSync(gzipSync(zeros))],
  ];
  for (const [encoding, body] of bombs) {
    const response = requireResponse(await sendEncoded(body, encoding));
    expect([encoding, response.truncated, response.bodyBytes]).toEqual([encoding, true, 1_048_576]);
  }
});

test("H02: a 200 MB bomb is cut at the cap", async () => {
  const chunks: Buffer[] = [];
  const gzip = createGzip({ level: 9 }).on("data", (chunk: Buffer) => chunks.push(chunk));
  const zeros = Buffer.alloc(1_048_576);
  for (let megabytes = 0; megabytes < 200; megabytes += 1) {
    if (!gzip.write(zeros)) await new Promise((resolve) => gzip.once("drain", resolve));
  }
  await new Promise<void>((resolve) => gzip.end(resolve));
  const bomb = Buffer.concat(chunks);
  expect(bomb.length).toBeLessThan(250_000);
  const response = requireResponse(await sendEncoded(bomb, "gzip"));
  expect([response.truncated, response.bodyBytes]).toEqual([true, 1_048_576]);
});

test("H02: more than two codings, or an unknown one, are refused by name", async () => {
  const encodings = ["gzip, gzip, gzip", Array(1_000).fill("gzip").join(","), "utf-8", "gzip, compress"];
  for (const encoding of zstdCompressSync ? encodings : [...encodings, "zstd"]) {
    const failure = requireFailure(await sendEncoded(gzipSync("x"), encoding));
    expect([encoding, failure.code]).toEqual([encoding, "body_encoding_failed"]);
  }
  expect(requireFailure(await sendEncoded(Buffer.from("x"), "exi")).detail).toContain("exi");
});

test.runIf(zstdCompressSync)(
  "zstd is decoded in bounds, and what is broken or needs a large window is refused",
  async () => {
    const compress = zstdCompressSync!;
    const compressed = compress(text);
    expect(readText(requireResponse(await sendEncoded(compressed, "zstd")))).toBe(text);
    const bomb = requireResponse(await sendEncoded(compress(Buffer.alloc(64 * 1_048_576)), "zstd"));
    expect([bomb.truncated, bomb.bodyBytes]).toEqual([true, 1_048_576]);
    // A frame that declares a window of 128 MiB.
    const wide = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 17 << 3, 0x01, 0x00, 0x00]);
    const broken: [Buffer, string][] = [
      [compressed.subarray(0, -20), "The response body ends before its zstd data does."],
      [Buffer.from(text), "The response body is not valid zstd."],
      [wide, "The response body is not valid zstd."],
    ];
    for (const [body, detail] of broken) {
      expect(requireFailure(await sendEncoded(body, "zstd"))).toMatchObject({ code: "body_encoding_failed", detail });
    }
  },
);

test("a body that contradicts its Content-Encoding, or is cut off, fails as an encoding error", async () => {
  const bodies: [string, Buffer][] = [
    ["gzip", Buffer.from(text)],
    ["br", Buffer.from(text)],
    ["deflate", Buffer.from("x is no deflate")],
    ["gzip", gzipSync(text).subarray(0, 200)],
    ["br", brotliCompressSync(text).subarray(0, 100)],
    ["gzip, br", brotliCompressSync(text)],
  ];
  for (const [encoding, body] of bodies) {
    const failure = requireFailure(await sendEncoded(body, encoding));
    expect([encoding, failure.code, failure.phase]).toEqual([encoding, "body_encoding_failed", "receive"]);
  }
});

test("an endless encoded body that decodes to nothing is stopped", async () => {
  const emptyMember = gzipSync("");
  const members = Buffer.concat(Array(3_000).fill(emptyMember));
  const target = await startHttpTarget((_incoming, outgoing) => {
    outgoing.writeHead(200, { "content-encoding": "gzip" });
    const pour = () => {
      while (outgoing.writable && outgoing.write(members));
    };
    outgoing.on("drain", pour);
    pour();
  });
  const failure = requireFailure(await openEgress().send(request(target.origin, { maxBodyBytes: 1_000 })));
  expect(failure.code).toBe("body_encoding_failed");
});

test("the cap is exact: a body of that size is complete, one byte more is truncated", async () => {
  const target = await startHttpTarget((incoming, outgoing) =>
    outgoing.end(Buffer.alloc(Number(incoming.url!.slice(1)), "a")),
  );
  const egress = openEgress();
  for (const [bytes, cap] of [
    [1_000, 1_000],
    [1_001, 1_000],
    [0, 0],
    [1, 0],
    [1_048_576, undefined],
    [1_048_577, undefined],
  ] as const) {
    const response = requireResponse(await egress.send(request(`${target.origin}/${bytes}`, { maxBodyBytes: cap })));
    const limit = cap ?? 1_048_576;
    expect([bytes, response.truncated, response.bodyBytes]).toEqual([bytes, bytes > limit, Math.min(bytes, limit)]);
  }
});
