import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { answered, failed, textOf } from "./testing/outcomes.ts";
import { openEgress, request, startHttpTarget, startRawTarget, startScriptedTarget } from "./testing/targets.ts";

test("a reused connection has no dns, connect and tls time, and the phases add up to the total", async () => {
  const target = await startHttpTarget((_incoming, answer) => setTimeout(() => answer.end("late"), 30));
  const egress = openEgress();
  const first = answered(await egress.send(request(`http://localhost:${target.port}/`))).phases;
  const second = answered(await egress.send(request(`http://localhost:${target.port}/`))).phases;
  expect(first.dns).toBeGreaterThan(0);
  expect(first.connect).toBeGreaterThan(0);
  expect(second).toMatchObject({ dns: 0, connect: 0, tls: 0 });
  expect(target.connections()).toBe(1);
  for (const { total, ...parts } of [first, second]) {
    expect(parts.wait).toBeGreaterThan(0);
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(total, 3);
  }
});

test("organizations never share a connection", async () => {
  const target = await startHttpTarget((_incoming, answer) => answer.end());
  const egress = openEgress();
  for (const pool of ["one", "two", "one", undefined, "two"])
    answered(await egress.send(request(target.origin, { pool })));
  expect(target.connections()).toBe(3);
});

test("requests run concurrently, and those beyond the connection limit are counted as blocked", async () => {
  const held: ServerResponse[] = [];
  let holds = true;
  const target = await startHttpTarget((_incoming, answer) => {
    if (holds) held.push(answer);
    else answer.end();
  });
  const egress = openEgress();
  const sending = Array.from({ length: 200 }, () => egress.send(request(target.origin)));
  await expect.poll(() => held.length).toBe(128);
  holds = false;
  for (const answer of held) answer.end();
  const waits = (await Promise.all(sending)).map((result) => answered(result).phases.blocked).sort((a, b) => b - a);
  expect(target.connections()).toBe(128);
  // Every request that had to wait waited longer than any that had not.
  expect(waits[71]).toBeGreaterThan(waits[72]!);
});

test("idle connections are closed after the server's keep-alive time", async () => {
  const target = await startScriptedTarget("HTTP/1.1 200 OK\r\nKeep-Alive: timeout=3\r\nContent-Length: 0\r\n\r\n");
  answered(await openEgress().send(request(target.origin)));
  expect(target.sockets.size).toBe(1);
  await expect.poll(() => target.sockets.size).toBe(0);
});

/**
 * Answers the first request of its first connection, then closes that connection on the second request without a
 * response.
 */
async function startForgetfulTarget() {
  const seen: string[] = [];
  const target = await startRawTarget((socket) => {
    const isFirst = target.connections() === 1;
    let requests = 0;
    socket.on("data", (chunk) => {
      seen.push(chunk.toString().split(" ")[0]!);
      requests += 1;
      if (isFirst && requests > 1) socket.destroy();
      else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    });
  });
  return { ...target, seen };
}

test("GET on a kept-alive connection that the server just closed is retried once, on a new connection", async () => {
  const target = await startForgetfulTarget();
  const egress = openEgress();
  answered(await egress.send(request(target.origin)));
  expect(textOf(answered(await egress.send(request(target.origin))))).toBe("ok");
  expect(target.seen).toEqual(["GET", "GET", "GET"]);
  expect(target.connections()).toBe(2);
});

test("POST on a kept-alive connection that the server just closed is not retried", async () => {
  const target = await startForgetfulTarget();
  const egress = openEgress();
  answered(await egress.send(request(target.origin)));
  const failure = failed(await egress.send(request(target.origin, { method: "POST", body: "x" })));
  expect(failure.code).toBe("connection_reset");
  expect(target.seen).toEqual(["GET", "POST"]);
});

test("GET on a new connection is not retried when the server closes it", async () => {
  const target = await startRawTarget((socket) => socket.once("data", () => socket.destroy()));
  const failure = failed(await openEgress().send(request(target.origin)));
  expect(failure).toMatchObject({ code: "connection_reset", phase: "wait" });
  expect(target.connections()).toBe(1);
});
