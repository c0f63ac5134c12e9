import { Agent, get as httpGet } from "node:http";
import { connect, createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type Listener, listen } from "./listener.ts";
import { StartRefused } from "./start-refused.ts";

let listener: Listener | undefined;
afterEach(async () => {
  await listener?.close();
  listener = undefined;
});

const here = { host: "127.0.0.1", port: 0 };
/** Something that one side waits for and the other gives. */
function signal() {
  let give: () => void = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

function ask(port: number, agent: Agent): Promise<{ status: number; connection: string | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    httpGet({ host: "127.0.0.1", port, agent, path: "/" }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, connection: response.headers.connection, text });
    }).once("error", reject);
  });
}

test("an answer that is being made when the listener closes arrives whole, and says that nothing follows", async () => {
  const arrived = signal();
  const answer = signal();
  listener = await listen(async () => {
    arrived.give();
    await answer.given;
    return new Response("whole");
  }, here);
  const asked = ask(listener.port, new Agent({ keepAlive: true }));
  await arrived.given;
  const closed = listener.close();
  await expect(ask(listener.port, new Agent())).rejects.toThrow("ECONNREFUSED");
  answer.give();
  expect(await asked).toEqual({ status: 200, connection: "close", text: "whole" });
  await closed;
});

test("an answer that had begun to stream is finished and its connection closed without waiting for the client", async () => {
  const begun = signal();
  const rest = signal();
  const client = new Agent({ keepAlive: true });
  listener = await listen(async () => {
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode("be"));
        begun.give();
        await rest.given;
        controller.enqueue(new TextEncoder().encode("gun"));
        controller.close();
      },
    });
    return new Response(body);
  }, here);
  const asked = ask(listener.port, client);
  await begun.given;
  const closed = listener.close();
  rest.give();
  expect((await asked).text).toBe("begun");
  await closed;
  // The client would have kept it: the server has closed it.
  await expect.poll(() => Object.keys(client.freeSockets)).toEqual([]);
});

test("idle connections do not hold the close up", async () => {
  listener = await listen(async () => new Response("ok"), here);
  await ask(listener.port, new Agent({ keepAlive: true }));
  await listener.close();
});

test("a request that never ends is cut off when the time of grace is up", async () => {
  const arrived = signal();
  const neverAnswer = () => {
    arrived.give();
    return new Promise<Response>(() => {});
  };
  listener = await listen(neverAnswer, { ...here, graceMilliseconds: 200 });
  const asked = ask(listener.port, new Agent());
  asked.catch(() => {});
  await arrived.given;
  await listener.close();
  await expect(asked).rejects.toThrow("socket hang up");
});

test("a client that connects and says nothing does not hold the close up", async () => {
  listener = await listen(async () => new Response("ok"), here);
  const socket = connect(listener.port, "127.0.0.1");
  await new Promise((connected) => socket.once("connect", connected));
  await listener.close();
  socket.destroy();
});

test("a taken port and an address of another machine are refused by the variable's name", async () => {
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
