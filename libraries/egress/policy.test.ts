import { expect, test } from "vitest";
import { createGate, type EgressPolicy, parseEgressAllow, toDestination } from "./policy.ts";

/** Whether the policy allows a URL whose host resolves to `address` (or is that literal). */
function isLetThrough(policy: Partial<EgressPolicy>, url: string, address?: string): boolean {
  const gate = createGate({ allow: [], allowLoopback: false, ownTargets: [], ...policy });
  const destination = toDestination(new URL(url));
  return gate.mayResolve(destination) && gate.permits(destination, address ?? destination.host);
}

const allow = (text: string) => ({ allow: parseEgressAllow(text) });

test("the allow-list accepts addresses, ranges, names, IPv6 and loopback, separated by commas or spaces", () => {
  const targets = parseEgressAllow(
    "10.0.0.1:8080, api.internal:443 10.2.0.0/16:8080,\n[fd12::1]:8443 [fd13::/64]:80,loopback",
  );
  expect(targets.map((target) => target.kind)).toEqual([
    "address",
    "name",
    "address",
    "address",
    "address",
    "loopback",
  ]);
  expect(parseEgressAllow("  ")).toEqual([]);
});

test("an invalid allow-list entry is named in the error", () => {
  const entries = [
    "10.0.0.1",
    "10.0.0.1:0",
    "10.0.0.1:65536",
    "10.0.0.1:http",
    "10.0.0.0/33:80",
    "http://10.0.0.1:80",
    "fd12::1:80",
    "127.1:80",
    "0x7f000001:80",
    "2130706433:80",
    "[fd12::1]",
    "[api.internal]:80",
    "*:80",
    "a b:80".replace(" ", "@"),
    ":80",
  ];
  for (const entry of entries) expect(() => parseEgressAllow(`loopback,${entry}`)).toThrow(entry);
});

test("S10: an allowed address is allowed only on its port", () => {
  const policy = allow("10.0.0.1:8080");
  expect(isLetThrough(policy, "http://10.0.0.1:8080/")).toBe(true);
  expect(isLetThrough(policy, "http://0xa000001:8080/")).toBe(true);
  expect(isLetThrough(policy, "http://10.0.0.1:8081/")).toBe(false);
  expect(isLetThrough(policy, "http://10.0.0.1/")).toBe(false);
  expect(isLetThrough(policy, "http://10.0.0.2:8080/")).toBe(false);
  expect(isLetThrough(policy, "http://[::ffff:10.0.0.1]:8080/")).toBe(false);
});

test("S10: a range allows its addresses on its port, and a name whatever it resolves to", () => {
  expect(isLetThrough(allow("10.2.0.0/16:8080"), "http://10.2.255.1:8080/")).toBe(true);
  expect(isLetThrough(allow("10.2.0.0/16:8080"), "http://10.3.0.1:8080/")).toBe(false);
  expect(isLetThrough(allow("api.internal:443"), "https://API.internal./", "10.9.9.9")).toBe(true);
  expect(isLetThrough(allow("api.internal:443"), "https://other.internal/", "10.9.9.9")).toBe(false);
  expect(isLetThrough(allow("[fd12::]/64:8443"), "https://[fd12::7]:8443/")).toBe(true);
});

test("S10: metadata stays blocked even when listed", () => {
  const listed = allow(
    "169.254.169.254:80 0.0.0.0/0:80 [::]/0:80 [fd00:ec2::254]:80 metadata.google.internal:80 evil.test:80 100.100.100.200:80",
  );
  const urls = [
    "http://169.254.169.254/",
    "http://[fd00:ec2::254]/",
    "http://100.100.100.200/",
    "http://[::ffff:169.254.169.254]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[2002:a9fe:a9fe::1]/",
    "http://2852039166/",
  ];
  for (const url of urls)
    expect({ url, isLetThrough: isLetThrough(listed, url) }).toEqual({ url, isLetThrough: false });
  expect(isLetThrough(listed, "http://metadata.google.internal/", "8.8.8.8")).toBe(false);
  expect(isLetThrough(listed, "http://METADATA.google.internal./", "8.8.8.8")).toBe(false);
  expect(isLetThrough(listed, "http://evil.test/", "169.254.169.254")).toBe(false);
  expect(isLetThrough(listed, "http://10.0.0.1/")).toBe(true);
});

test("S07: ports of databases, brokers and system services are blocked, web ports and high ports are open", () => {
  const closed = [22, 25, 53, 81, 1023, 2375, 2376, 3306, 5432, 6379, 6443, 9200, 10250, 11211, 27017];
  for (const port of closed) expect([port, isLetThrough({}, `http://93.184.216.34:${port}/`)]).toEqual([port, false]);
  for (const port of [80, 443, 1024, 3000, 8080, 8443, 65535]) {
    expect([port, isLetThrough({}, `http://93.184.216.34:${port}/`)]).toEqual([port, true]);
  }
  expect(isLetThrough(allow("93.184.216.34:5432"), "http://93.184.216.34:5432/")).toBe(true);
  expect(isLetThrough(allow("db.test:5432"), "http://93.184.216.34:5432/")).toBe(false);
});

test("loopback allows literals and localhost on ordinary ports, and no other name", () => {
  for (const policy of [{ allowLoopback: true }, allow("loopback")]) {
    expect(isLetThrough(policy, "http://127.0.0.1:4010/")).toBe(true);
    expect(isLetThrough(policy, "http://127.8.8.8/")).toBe(true);
    expect(isLetThrough(policy, "http://[::1]:4010/")).toBe(true);
    expect(isLetThrough(policy, "http://localhost:4010/", "127.0.0.1")).toBe(true);
    expect(isLetThrough(policy, "http://localhost.:4010/", "::1")).toBe(true);
    expect(isLetThrough(policy, "http://127.0.0.1:5432/")).toBe(false);
    expect(isLetThrough(policy, "http://localhost:4010/", "10.0.0.1")).toBe(false);
    expect(isLetThrough(policy, "http://rebound.test:4010/", "127.0.0.1")).toBe(false);
    expect(isLetThrough(policy, "http://[::ffff:127.0.0.1]:4010/")).toBe(false);
    expect(isLetThrough(policy, "http://0.0.0.0:4010/")).toBe(false);
    expect(isLetThrough(policy, "http://10.0.0.1:4010/")).toBe(false);
  }
});

test("S08: the portal's own listeners are blocked by name, by address and by wildcard", () => {
  const own = {
    allowLoopback: true,
    ownTargets: [
      { host: "0.0.0.0", port: 3000 },
      { host: "portal.example", port: 443 },
    ],
  };
  expect(isLetThrough(own, "http://127.0.0.1:3000/")).toBe(false);
  expect(isLetThrough(own, "http://127.9.9.9:3000/")).toBe(false);
  expect(isLetThrough(own, "http://[::1]:3000/")).toBe(false);
  expect(isLetThrough(own, "http://localhost:3000/", "127.0.0.1")).toBe(false);
  expect(isLetThrough(own, "https://portal.example/", "93.184.216.34")).toBe(false);
  expect(isLetThrough(own, "http://127.0.0.1:3001/")).toBe(true);
  expect(isLetThrough({ ...own, ownTargets: [{ host: "localhost", port: 3000 }] }, "http://127.0.0.1:3000/")).toBe(
    false,
  );
  expect(isLetThrough({ ...own, ownTargets: [{ host: "127.0.0.1", port: 3000 }] }, "http://[::1]:3000/")).toBe(false);
});

test("S08: an own listener is allowed only by an exact entry, not by a range or loopback", () => {
  const ownTargets = [{ host: "0.0.0.0", port: 3000 }];
  expect(isLetThrough({ ...allow("loopback 127.0.0.0/8:3000"), ownTargets }, "http://127.0.0.1:3000/")).toBe(false);
  expect(isLetThrough({ ...allow("127.0.0.1:3000"), ownTargets }, "http://127.0.0.1:3000/")).toBe(true);
  expect(isLetThrough({ ...allow("localhost:3000"), ownTargets }, "http://localhost:3000/", "127.0.0.1")).toBe(true);
  expect(isLetThrough({ ...allow("localhost:3000"), ownTargets }, "http://127.0.0.1:3000/")).toBe(false);
});

test("S08: an own target added after the gate was created is blocked", () => {
  const policy: EgressPolicy = { allow: [], allowLoopback: true, ownTargets: [] };
  const gate = createGate(policy);
  const destination = toDestination(new URL("http://127.0.0.1:41234/"));
  expect(gate.permits(destination, "127.0.0.1")).toBe(true);
  policy.ownTargets.push({ host: "127.0.0.1", port: 41234 });
  expect(gate.permits(destination, "127.0.0.1")).toBe(false);
});
