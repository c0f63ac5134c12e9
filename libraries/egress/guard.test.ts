import { Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { openConnection, systemResolver } from "./connector.ts";
import { ConnectionPhases } from "./phases.ts";
import { type Gate, toDestination } from "./policy.ts";
import { requireFailure } from "./testing/outcomes.ts";
import { openEgress, request, resolveNames, startHttpTarget, startRawTarget } from "./testing/targets.ts";

const closed = { allowLoopback: false };

test("S02: a name that resolves to a blocked address is refused without a connection", async () => {
  const canary = await startRawTarget(() => {});
  const addresses = [
    "127.0.0.1",
    "127.1.2.3",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::7f00:1",
    "2002:7f00:1::",
    "2001:0:7f00:1::",
    "fe80::1",
    "fe80::1%lo",
    "fd00:ec2::254",
    "fc00::1",
    "ff02::1",
    "224.0.0.1",
    "255.255.255.255",
    "not an address",
  ];
  for (const address of addresses) {
    const { resolve, queries } = resolveNames({ "x.test": [address] });
    const failure = requireFailure(
      await openEgress({ ...closed, resolve }).send(request(`http://x.test:${canary.port}/`)),
    );
    expect([address, failure.code, queries.length]).toEqual([address, "target_not_allowed", 1]);
  }
  expect(canary.connections()).toBe(0);
});

test("S02: one blocked address among public ones refuses them all", async () => {
  const connect = vi.spyOn(Socket.prototype, "connect");
  onTestFinished(() => connect.mockRestore());
  for (const mixed of [
    ["93.184.216.34", "127.0.0.1"],
    ["::1", "2606:2800:220:1::1"],
    ["93.184.216.34", "8.8.8.8", "10.0.0.1"],
  ]) {
    const { resolve } = resolveNames({ "x.test": mixed });
    expect(requireFailure(await openEgress({ ...closed, resolve }).send(request("http://x.test/"))).code).toBe(
      "target_not_allowed",
    );
  }
  expect(connect).not.toHaveBeenCalled();
});

test("S02: with loopback allowed, other names that resolve to it stay blocked, and localhost may resolve to nothing else", async () => {
  const canary = await startRawTarget(() => {});
  const { resolve } = resolveNames({ "x.test": ["127.0.0.1"], localhost: ["127.0.0.1", "10.0.0.1"] });
  const egress = openEgress({ allowLoopback: true, resolve });
  for (const host of ["x.test", "localhost", "LOCALHOST."]) {
    expect(requireFailure(await egress.send(request(`http://${host}:${canary.port}/`))).code).toBe(
      "target_not_allowed",
    );
  }
  expect(canary.connections()).toBe(0);
});

test("S03: each connection resolves once, and a name that changes to a blocked address is refused at its next connection", async () => {
  const canary = await startHttpTarget((_incoming, response) => response.end("canary"));
  let lookups = 0;
  const egress = openEgress({
    allowLoopback: false,
    allow: [{ kind: "address", range: { version: 4, first: 0x7f000001n, last: 0x7f000001n }, port: canary.port }],
    resolve: async () => {
      lookups += 1;
      return [{ address: lookups === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }];
    },
  });
  const results = [];
  for (let index = 0; index < 20; index += 1) results.push(await egress.send(request(`http://x.test:${canary.port}/`)));
  expect(results.every((result) => result.outcome === "answered")).toBe(true);
  expect([lookups, canary.connections()]).toEqual([1, 1]);
  const parallel = await Promise.all(
    Array.from({ length: 50 }, () => egress.send(request(`http://x.test:${canary.port}/`))),
  );
  const refused = parallel.filter((result) => result.outcome === "failed");
  expect(refused.map((result) => requireFailure(result).code)).toEqual(Array(49).fill("target_not_allowed"));
  expect([lookups, canary.connections()]).toEqual([50, 1]);
});

test("S03: a connection whose peer is not the checked address is closed before a byte is sent", async () => {
  const received: Buffer[] = [];
  const target = await startRawTarget((socket) => socket.on("data", (chunk) => received.push(chunk)));
  const destination = toDestination(new URL(target.origin));
  const checked: string[] = [];
  const gate: Gate = { mayResolve: () => true, permits: (_destination, address) => checked.push(address) === 0 };
  const opening = { destination, phases: new ConnectionPhases(), signal: new AbortController().signal };
  await expect(openConnection({ gate, resolve: systemResolver }, opening)).rejects.toMatchObject({
    failure: { code: "target_not_allowed" },
  });
  expect(checked).toEqual(["127.0.0.1"]);
  expect(received).toEqual([]);
});

test("S08: the portal's own listener is unreachable, also by other names", async () => {
  const own = await startRawTarget(() => {});
  const { resolve } = resolveNames({
    localhost: ["127.0.0.1"],
    "portal.example": ["93.184.216.34"],
    "alias.test": ["127.0.0.1"],
  });
  const ownTargets = [
    { host: "0.0.0.0", port: own.port },
    { host: "portal.example", port: 443 },
  ];
  const egress = openEgress({
    allow: [{ kind: "name", name: "alias.test", port: own.port + 1 }],
    ownTargets,
    resolve,
  });
  const urls = [
    own.origin,
    `http://localhost:${own.port}/`,
    `http://127.7.7.7:${own.port}/`,
    `http://alias.test:${own.port}/`,
    "https://portal.example/",
  ];
  for (const url of urls)
    expect([url, requireFailure(await egress.send(request(url))).code]).toEqual([url, "target_not_allowed"]);
  expect(own.connections()).toBe(0);
});

test("S09: open, closed, unknown and filtered blocked targets are indistinguishable", async () => {
  const open = await startHttpTarget((_incoming, response) => response.end());
  const { resolve } = resolveNames({ "x.test": ["10.0.0.1"] });
  const egress = openEgress({ ...closed, resolve });
  const urls = [
    open.origin,
    "http://127.0.0.1:1025/",
    "http://127.0.0.1:22/",
    "http://10.255.255.1/",
    "http://169.254.169.254/",
    "http://x.test/",
    "https://10.0.0.1/",
  ];
  const results = new Set<string>();
  for (const url of urls) {
    for (let index = 0; index < 10; index += 1) results.add(JSON.stringify(await egress.send(request(url))));
  }
  expect([...results]).toEqual([
    JSON.stringify({
      outcome: "failed",
      failure: {
        code: "target_not_allowed",
        detail: "This address is not one the portal may send requests to. An operator can allow it with EGRESS_ALLOW.",
      },
      hops: [],
    }),
  ]);
  expect(open.connections()).toBe(0);
});

test("S13: a target that was allowed once is checked again for every connection", async () => {
  const canary = await startHttpTarget((_incoming, response) => response.setHeader("connection", "close").end());
  const addresses = ["127.0.0.1", "127.0.0.2"];
  const egress = openEgress({
    allowLoopback: false,
    allow: [{ kind: "address", range: { version: 4, first: 0x7f000001n, last: 0x7f000001n }, port: canary.port }],
    resolve: async () => [{ address: addresses.shift()!, family: 4 }],
  });
  expect((await egress.send(request(`http://x.test:${canary.port}/`))).outcome).toBe("answered");
  expect(requireFailure(await egress.send(request(`http://x.test:${canary.port}/`))).code).toBe("target_not_allowed");
  expect(canary.connections()).toBe(1);
});

test("a lookup that resolves after the request was abandoned opens no connection", async () => {
  const canary = await startRawTarget(() => {});
  let finishLookup: (addresses: { address: string; family: number }[]) => void = () => {};
  const egress = openEgress({
    resolve: () =>
      new Promise((resolve) => {
        finishLookup = resolve;
      }),
  });
  const failure = requireFailure(
    await egress.send(request(`http://localhost:${canary.port}/`, { timeoutMilliseconds: 50 })),
  );
  expect(failure).toMatchObject({ code: "timeout", phase: "dns" });
  finishLookup([{ address: "127.0.0.1", family: 4 }]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(canary.connections()).toBe(0);
});
