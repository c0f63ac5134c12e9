import { expect, test } from "vitest";
import { parseEgressAllow } from "./policy.ts";
import { openEgress, resolveNames, startRawTarget } from "./testing/targets.ts";

const { resolve } = resolveNames({
  "api.example": ["93.184.216.34"],
  "mixed.example": ["93.184.216.34", "10.0.0.1"],
  "here.example": ["127.0.0.1"],
  "odd.example": ["nowhere"],
});
const egress = (allow = "", allowLoopback = false) =>
  openEgress({
    resolve,
    allowLoopback,
    allow: parseEgressAllow(allow),
    ownTargets: [{ host: "127.0.0.1", port: 3000 }],
  });

test.each([
  ["https://api.example/orders", true, "public"],
  ["http://10.0.0.1/", false, "private"],
  ["http://mixed.example/", false, "private"],
  ["http://169.254.169.254/latest", false, "metadata"],
  ["http://metadata.google.internal/", false, "metadata"],
  ["http://api.example:5432/", false, "port"],
  ["http://127.0.0.1:8080/", false, "loopback_closed"],
  ["http://here.example:3000/", false, "own"],
  ["http://odd.example/", false, "no_address"],
  ["http://missing.example/", false, "unknown_name"],
  ["ftp://api.example/", false, "invalid_url"],
  ["http://user:secret@api.example/", false, "invalid_url"],
])("%s is judged, with the reason reported", async (url, isAllowed, reason) => {
  expect(await egress().check(url)).toMatchObject({ isAllowed, reason });
});

test("a listed target is allowed as listed, and loopback where it is open", async () => {
  expect(await egress("10.0.0.1:8080").check("http://10.0.0.1:8080/")).toMatchObject({ reason: "listed" });
  expect(await egress("127.0.0.1:3000").check("http://127.0.0.1:3000/")).toMatchObject({ reason: "listed" });
  expect(await egress("", true).check("http://127.0.0.1:8080/")).toMatchObject({ isAllowed: true, reason: "loopback" });
});

test("all addresses of a name are reported, and nothing is connected to", async () => {
  const canary = await startRawTarget(() => {});
  const check = await openEgress().check(`http://localhost:${canary.port}/`);
  expect([check.isAllowed, check.port]).toEqual([true, canary.port]);
  expect(await egress().check("http://mixed.example/")).toMatchObject({
    addresses: [
      { address: "93.184.216.34", isAllowed: true, reason: "public" },
      { address: "10.0.0.1", isAllowed: false, reason: "private" },
    ],
  });
  expect(canary.connections()).toBe(0);
});
