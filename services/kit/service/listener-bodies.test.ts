import type { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { type Listener, listen } from "./listener.ts";

let listener: Listener | undefined;
afterEach(async () => {
  await listener?.close();
  listener = undefined;
});

const here = { host: "127.0.0.1", port: 0 };
const mebibyte = 1_048_576;
const page = `<!doctype html><title>Too large</title>${"words ".repeat(20_000)}</html>`;
const refuse = () => new Response(page, { status: 413, headers: { "content-type": "text/html" } });

/**
 * Sends a body as a browser on a slow connection does: piece by piece, reading the response after all of it is sent.
 */
async function upload(
  port: number,
  { megabytes, headers = [], paced = async () => {} }: Upload,
): Promise<{ answer: string; socket: Socket }> {
  const socket = connect(port, "127.0.0.1");
  let result = "";
  socket.setEncoding("utf8").on("data", (text) => {
    result += text;
  });
  const failed = new Promise<never>((_, reject) => socket.once("error", reject));
  failed.catch(() => {});
  const length = megabytes * mebibyte;
  const head = ["POST /form HTTP/1.1", "Host: portal.test", `Content-Length: ${length}`, ...headers, "", ""];
  socket.write(head.join("\r\n"));
  const piece = Buffer.alloc(mebibyte / 4, "x");
  for (let sent = 0; sent < length; sent += piece.length) {
    if (!socket.write(piece)) await Promise.race([new Promise((drained) => socket.once("drain", drained)), failed]);
    await paced();
  }
  await Promise.race([expect.poll(() => result).toMatch(/<\/html>(\r\n0\r\n\r\n)?$/), failed]);
  return { answer: result, socket };
}

interface Upload {
  megabytes: number;
  headers?: string[];
  /** Called after each piece. */
  paced?: () => Promise<void>;
}

const handlers: Record<string, (request: Request) => Promise<Response>> = {
  "never looked at": async () => refuse(),
  "given to a reader that stopped": async (request) => {
    const again = new Request("https://portal.test/form", {
      method: "POST",
      body: request.body,
      duplex: "half",
    } as never);
    await again.body!.getReader().read();
    return refuse();
  },
};
for (const [what, handler] of Object.entries(handlers)) {
  for (const headers of [[], ["Connection: close"]]) {
    const how = headers[0] ? `, though its sender says ${headers[0]}` : "";
    test(`a client that sends 30 MB on a slow connection receives the complete refusal, the body ${what}${how}`, async () => {
      let incoming: IncomingMessage | undefined;
      listener = await listen(async (request, env) => {
        incoming = (env as { incoming: IncomingMessage }).incoming;
        return await handler(request);
      }, here);
      let maxBuffered = 0;
      const paced = async () => {
        await wait(17);
        maxBuffered = Math.max(maxBuffered, incoming?.readableLength ?? 0);
      };
      const { answer, socket } = await upload(listener.port, { megabytes: 30, headers, paced });
      expect(answer).toMatch(/^HTTP\/1.1 413 /);
      expect(answer).toContain(page);
      expect(maxBuffered).toBeLessThan(mebibyte);
      socket.destroy();
    });
  }
}

test("after a refused body the same connection serves the next request", async () => {
  listener = await listen(
    async (request) => (request.method === "POST" ? refuse() : new Response("next</html>")),
    here,
  );
  const { socket } = await upload(listener.port, { megabytes: 3 });
  const next = new Promise<string>((resolve) => socket.once("data", (text) => resolve(String(text))));
  socket.write("GET /next HTTP/1.1\r\nHost: portal.test\r\n\r\n");
  expect(await next).toContain("next</html>");
  socket.destroy();
});

test("a refused body that stalls does not keep its connection open longer than any other", async () => {
  const patient = await listen(async () => refuse(), { ...here, stallMilliseconds: 300_000, graceMilliseconds: 0 });
  onTestFinished(() => patient.close());
  listener = await listen(async () => refuse(), { ...here, stallMilliseconds: 50 });
  const [waitedFor, stalled] = [patient, listener].map(({ port }) => {
    const socket = connect(port, "127.0.0.1");
    const closed = new Promise((resolve) => socket.once("close", resolve));
    let heard = "";
    socket
      .on("error", () => {})
      .on("data", (chunk) => {
        heard += chunk;
      });
    socket.write("POST / HTTP/1.1\r\nHost: portal.test\r\nContent-Length: 1000000\r\n\r\nx");
    return { socket, closed, heard: () => heard };
  }) as [StartedUpload, StartedUpload];
  await stalled.closed;
  expect(stalled.heard()).toBe("");
  expect(waitedFor.socket.destroyed).toBe(false);
});

interface StartedUpload {
  socket: Socket;
  closed: Promise<unknown>;
  heard: () => string;
}

/** The response to this text on a raw socket, until it closes or `until` has been received. */
async function say(port: number, text: string, until?: string): Promise<{ received: () => string; socket: Socket }> {
  const socket = connect(port, "127.0.0.1");
  let responseText = "";
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.setEncoding("utf8").on("data", (more) => {
    responseText += more;
  });
  socket.write(text);
  if (until) await expect.poll(() => responseText).toContain(until);
  else await closed;
  return { received: () => responseText, socket };
}
const requesting = "POST / HTTP/1.1\r\nHost: portal.test\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n";

test("with Expect: 100-continue, a refused request doesn't have to send its body", async () => {
  listener = await listen(async () => refuse(), here);
  const { received } = await say(listener.port, requesting);
  expect(received()).toMatch(/^HTTP\/1.1 413 /);
  expect(received()).toMatch(/connection: close/i);
  expect(received()).toContain(page);
});

test("with Expect: 100-continue, the body is requested once it is read", async () => {
  listener = await listen(async (request) => new Response(`read ${await request.text()}`), here);
  const { received, socket } = await say(listener.port, requesting, "100 Continue");
  expect(received()).not.toContain("200");
  socket.write("hello");
  await expect.poll(received).toContain("read hello");
  socket.destroy();
});
