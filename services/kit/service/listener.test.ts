import { Agent, get as httpGet } from "node:http";
import { connect, createServer } from "node:net";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { type Listener, listen } from "./listener.ts";
import { StartRefused } from "./start-refused.ts";

let listener: Listener | undefined;
afterEach(async () => {
  await listener?.close();
  listener = undefined;
});

const here = { host: "127.0.0.1", port: 0 };
/** A promise that one side awaits and the other resolves. */
function signal() {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Responds with a stream whose second part waits for `rest`. */
function pausedStream(first: string, second: string) {
  const begun = signal();
  const rest = signal();
  const respond = async () => {
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode(first));
        begun.resolve();
        await rest.promise;
        controller.enqueue(new TextEncoder().encode(second));
        controller.close();
      },
    });
    return new Response(body);
  };
  return { begun, rest, answer: respond };
}

function sendRequest(
  port: number,
  agent: Agent,
): Promise<{ status: number; connection: string | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    httpGet({ host: "127.0.0.1", port, agent, path: "/" }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, connection: response.headers.connection, text });
    }).once("error", reject);
  });
}

test("a pending response is completed when the listener closes, and announces the end of its connection", async () => {
  const arrived = signal();
  const result = signal();
  listener = await listen(async () => {
    arrived.resolve();
    await result.promise;
    return new Response("whole");
  }, here);
  const pendingResponse = sendRequest(listener.port, new Agent({ keepAlive: true }));
  await arrived.promise;
  const closed = listener.close();
  await expect(sendRequest(listener.port, new Agent())).rejects.toThrow("ECONNREFUSED");
  result.resolve();
  expect(await pendingResponse).toEqual({ status: 200, connection: "close", text: "whole" });
  await closed;
});

test("a streaming response is finished and its connection closed without waiting for the client", async () => {
  const { begun, rest, answer } = pausedStream("be", "gun");
  const client = new Agent({ keepAlive: true });
  listener = await listen(answer, here);
  const pendingResponse = sendRequest(listener.port, client);
  await begun.promise;
  const closed = listener.close();
  rest.resolve();
  expect((await pendingResponse).text).toBe("begun");
  await closed;
  // The client would have reused it: the server closed it.
  await expect.poll(() => Object.keys(client.freeSockets)).toEqual([]);
});

test("idle connections end with the close, and later requests on them get no response", async () => {
  listener = await listen(async () => new Response("ok"), here);
  const requesting = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  const { socket, ended, heard } = await open(listener.port, requesting);
  await expect.poll(heard).toContain("ok");
  const closed = listener.close();
  socket.write(requesting);
  await closed;
  await ended;
  expect(heard().match(/HTTP\/1.1 200/g)).toHaveLength(1);
});

test("a request that never ends is cut off after the grace period", async () => {
  const arrived = signal();
  const neverRespond = () => {
    arrived.resolve();
    return new Promise<Response>(() => {});
  };
  listener = await listen(neverRespond, { ...here, graceMilliseconds: 200 });
  const pendingResponse = sendRequest(listener.port, new Agent());
  pendingResponse.catch(() => {});
  await arrived.promise;
  await listener.close();
  await expect(pendingResponse).rejects.toThrow("socket hang up");
});

test("a silent client does not delay the close", async () => {
  listener = await listen(async () => new Response("ok"), here);
  const { socket, ended, heard } = await open(listener.port);
  // Connected later, so the silent one is known by then.
  await sendRequest(listener.port, new Agent());
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const closed = listener.close();
  await vi.advanceTimersByTimeAsync(199);
  expect(socket.destroyed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await closed;
  await ended;
  // The limit for headers, which comes later, would have said so.
  expect(heard()).toBe("");
});

/** A connection that has sent only this text; `ended` resolves when the server closes it. */
async function open(port: number, sent = "") {
  const socket = connect(port, "127.0.0.1");
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  let heard = "";
  socket
    .on("error", () => {})
    .on("data", (chunk) => {
      heard += chunk;
    });
  await new Promise((connected) => socket.once("connect", connected));
  if (sent) socket.write(sent);
  return { socket, ended, heard: () => heard };
}

const half = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nhalf";

test("W07: silent connections, and those that sent half a header, time out", async () => {
  const patient = await listen(async () => new Response("ok"), { ...here, headersMilliseconds: 300_000 });
  onTestFinished(() => patient.close());
  const waitedFor = await open(patient.port);
  listener = await listen(async () => new Response("ok"), { ...here, headersMilliseconds: 50 });
  for (const words of ["", "GET / HTTP/1.1\r\nHost"]) {
    const { ended, heard } = await open(listener.port, words);
    await ended;
    expect(heard()).toMatch(/^HTTP\/1.1 408 /);
  }
  expect(waitedFor.socket.destroyed).toBe(false);
});

test("W07: a declared body that doesn't arrive ends its connection, while others are served", async () => {
  const failed = signal();
  const reading = async (request: Request) => {
    if (request.method === "GET") return new Response("ok");
    await request.text().catch(() => failed.resolve());
    return new Response("never");
  };
  listener = await listen(reading, { ...here, stallMilliseconds: 50 });
  const { ended } = await open(listener.port, half);
  expect((await sendRequest(listener.port, new Agent())).text).toBe("ok");
  await ended;
  await failed.promise;
});

/** On a busy machine even a request's first bytes may arrive after a short limit. */
async function requestUntilReceived(port: number) {
  let result = await sendRequest(port, new Agent());
  while (result.status === 408) result = await sendRequest(port, new Agent());
  return result;
}

test("a stream continues after every limit of a request has passed", async () => {
  const { begun, rest, answer } = pausedStream("first", ", last");
  listener = await listen(answer, { ...here, headersMilliseconds: 50, stallMilliseconds: 50 });
  const pendingResponse = requestUntilReceived(listener.port);
  await begun.promise;
  // Twice the time until a connection opened later is closed for its silence.
  await (await open(listener.port)).ended;
  await (await open(listener.port)).ended;
  rest.resolve();
  expect((await pendingResponse).text).toBe("first, last");
});

test("W07: with all connections in use the most idle one is closed, never one with a pending request", async () => {
  const arrived = signal();
  const result = signal();
  const slow = async (request: Request) => {
    if (request.method === "GET") return new Response("ok");
    arrived.resolve();
    await result.promise;
    return new Response("slow");
  };
  listener = await listen(slow, { ...here, maximumConnections: 2 });
  const busy = await open(listener.port, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
  await arrived.promise;
  const idle = await open(listener.port);
  expect((await sendRequest(listener.port, new Agent())).text).toBe("ok");
  await idle.ended;
  expect(busy.socket.destroyed).toBe(false);
  result.resolve();
});

test("a used port and an address of another machine are refused by the variable's name", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => other.once("listening", listening));
  const { port } = other.address() as { port: number };
  const refused = await listen(async () => new Response(), { ...here, port }).catch((error: unknown) => error);
  other.close();
  expect(refused).toBeInstanceOf(StartRefused);
  expect((refused as Error).message).toBe(
    `PORT ${port} on 127.0.0.1 is taken by another program. Set PORT to a free one.`,
  );
  await expect(listen(async () => new Response(), { host: "192.0.2.1", port: 0 })).rejects.toThrow(
    "HOST 192.0.2.1 is no address of this machine.",
  );
});
