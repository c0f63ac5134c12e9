import { expect, test } from "vitest";
import { BodyMemory, readBody } from "./request-body.ts";

function post(body: BodyInit): Request {
  return new Request("http://service/", { method: "POST", body, duplex: "half" } as RequestInit);
}

test("a body arrives in blocks with separate memory, in order", async () => {
  const bytes = new Uint8Array(2_500_000).map((_, index) => index % 251);
  const blocks = await readBody(post(bytes), 3_000_000, new BodyMemory());
  expect(blocks.map(({ length }) => length)).toEqual([1_048_576, 1_048_576, 402_848]);
  expect(Buffer.concat(blocks).equals(Buffer.from(bytes))).toBe(true);
});

test("all bodies together take no more memory than the limit, and release it", async () => {
  const memory = new BodyMemory(3 * 1024 * 1024);
  const first = await readBody(post(new Uint8Array(2_000_000)), 3_000_000, memory);
  await expect(readBody(post(new Uint8Array(2_000_000)), 3_000_000, memory)).rejects.toMatchObject({
    code: "service_unavailable",
  });
  memory.release(first.length);
  expect(await readBody(post(new Uint8Array(2_000_000)), 3_000_000, memory)).toHaveLength(2);
});

test("an aborted upload is reported as such, and a sender that never ends does not delay the response", async () => {
  const broken = new ReadableStream({
    pull(controller) {
      controller.error(new Error("gone"));
    },
  });
  await expect(readBody(post(broken), 1_000, new BodyMemory())).rejects.toMatchObject({ code: "malformed_request" });
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(1_000)),
    cancel: () => new Promise(() => {}),
  });
  await expect(readBody(post(endless), 10_000, new BodyMemory())).rejects.toMatchObject({ code: "payload_too_large" });
});
