import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Identity } from "../../kit/identity/identity.ts";
import { listen } from "../../kit/service/listener.ts";
import { streamEvents } from "./event-stream.ts";

const caller = {
  organizationId: "0198c5a0-0000-7000-8000-000000000001",
  onOutdated: () => () => {},
} as never as Identity;
const kilobyte = "x".repeat(1_000);

/** Sends events for as long as they are taken, and counts them. */
async function serveEndlessEvents(stallMilliseconds?: number) {
  const sent = { events: 0, hasEnded: false };
  const stopping = new AbortController();
  const answer = async (request: Request) =>
    streamEvents(
      { request, caller },
      stopping.signal,
      async (send) => {
        while (await send("members", kilobyte)) sent.events += 1;
        sent.hasEnded = true;
      },
      stallMilliseconds,
    );
  const listener = await listen(answer, { host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    stopping.abort();
    await listener.close();
  });
  return { port: listener.port, sent };
}

test("W07: a client that reads no events is disconnected before they fill the memory", async () => {
  const { port, sent } = await serveEndlessEvents(1_000);
  const socket = connect(port, "127.0.0.1");
  socket.pause();
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  socket.write("GET / HTTP/1.1\r\nhost: portal.test\r\n\r\n");
  await expect.poll(() => sent.hasEnded).toBe(true);
  // Sockets buffer a few megabytes at most.
  expect(sent.events).toBeLessThan(20_000);
});

test("a client that reads gets all events, however many they are", async () => {
  const { port, sent } = await serveEndlessEvents();
  const response = await fetch(`http://127.0.0.1:${port}`);
  const reader = response.body!.getReader();
  let bytes = 0;
  while (bytes < 10_000_000) bytes += (await reader.read()).value!.length;
  expect(sent.hasEnded).toBe(false);
  await reader.cancel();
  await expect.poll(() => sent.hasEnded).toBe(true);
});
