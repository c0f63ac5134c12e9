import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { readText, requireFailure, requireResponse } from "./testing/outcomes.ts";
import { openEgress, request, startHttpTarget, startRawTarget, startScriptedTarget } from "./testing/targets.ts";

test("a reused connection has no dns, connect and tls time, and the phases add up to the total", async () => {
  const target = await startHttpTarget((_incoming, response) => setTimeout(() => response.end("late"), 30));
  const egress = openEgress();
  const first = requireResponse(await egress.send(request(`http://localhost:${target.port}/`))).phases;
  const second = requireResponse(await egress.send(request(`http://localhost:${target.port}/`))).phases;
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
  const target = await startHttpTarget((_incoming, response) => response.end());
  const egress = openEgress();
  for (const pool of ["one", "two", "one", undefined, "two"])
    requireResponse(await egress.send(request(target.origin, { pool })));
  expect(target.connections()).toBe(3);
});

test("requests run concurrently, and those beyond the connection limit are counted as blocked", async () => {
  const pending: ServerResponse[] = [];
  let holds = true;
  const target = await startHttpTarget((_incoming, response) => {
    if (holds) pending.push(response);
    else response.end();
  });
  const egress = openEgress();
  const sending = Array.from({ length: 200 }, () => egress.send(request(target.origin)));
  await expect.poll(() => pending.length).toBe(128);
  holds = false;
  for (const response of pending) response.end();
  const blockedTimes = (await Promise.all(sending))
    .map((result) => requireResponse(result).phases.blocked)
    .sort((a, b) => b - a);
  expect(target.connections()).toBe(128);
  // Every request that had to wait waited longer than any that had not.
  expect(blockedTimes[71]).toBeGreaterThan(blockedTimes[72]!);
});

test("idle connections are closed after the server's keep-alive time", async () => {
  const target = await startScriptedTarget("HTTP/1.1 200 OK\r\nKeep-Alive: timeout=3\r\nContent-Length: 0\r\n\r\n");
  requireResponse(await openEgress().send(request(target.origin)));
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
  requireResponse(await egress.send(request(target.origin)));
  expect(readText(requireResponse(await egress.send(request(target.origin))))).toBe("ok");
  expect(target.seen).toEqual(["GET", "GET", "GET"]);
  expect(target.connections()).toBe(2);
});

test("POST on a kept-alive connection that the server just closed is not retried", async () => {
  const target = await startForgetfulTarget();
  const egress = openEgress();
  requireResponse(await egress.send(request(target.origin)));
  const failure = requireFailure(await egress.send(request(target.origin, { method: "POST", body: "x" })));
  expect(failure.code).toBe("connection_reset");
  expect(target.seen).toEqual(["GET", "POST"]);
});

test("GET on a new connection is not retried when the server closes it", async () => {
  const target = await startRawTarget((socket) => socket.once("data", () => socket.destroy()));
  const failure = requireFailure(await openEgress().send(request(target.origin)));
  expect(failure).toMatchObject({ code: "connection_reset", phase: "wait" });
  expect(target.connections()).toBe(1);
});
