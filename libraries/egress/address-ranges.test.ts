import { BlockList } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { repetitions } from "../../tests/support/endurance.ts";
import { isLoopback, isMetadata, isSpecialPurpose, parseAddress, parseRange } from "./address-ranges.ts";
import { createGate, toDestination } from "./policy.ts";
import { carryIpv4, spellIpv4, spellIpv6 } from "./testing/address-spellings.ts";

/**
 * Copied from the IANA registries (iana-ipv4-special-registry, iana-ipv6-special-registry, ipv6-address-space,
 * multicast-addresses) and matched with a different algorithm than the product's: an independent oracle.
 */
function createOracle(): { ipv4: BlockList; ipv6: BlockList } {
  // Two lists: in a single list, ::ffff:0:0/96 would match every IPv4 address.
  const refused = { ipv4: new BlockList(), ipv6: new BlockList() };
  const ipv4: [string, number][] = [
    ["0.0.0.0", 8],
    ["10.0.0.0", 8],
    ["100.64.0.0", 10],
    ["127.0.0.0", 8],
    ["169.254.0.0", 16],
    ["172.16.0.0", 12],
    ["192.0.0.0", 24],
    ["192.0.2.0", 24],
    ["192.31.196.0", 24],
    ["192.52.193.0", 24],
    ["192.88.99.0", 24],
    ["192.168.0.0", 16],
    ["192.175.48.0", 24],
    ["198.18.0.0", 15],
    ["198.51.100.0", 24],
    ["203.0.113.0", 24],
    ["224.0.0.0", 4],
    ["240.0.0.0", 4],
    ["255.255.255.255", 32],
  ];
  const ipv6: [string, number][] = [
    ["::1", 128],
    ["::", 128],
    ["::", 96],
    ["::ffff:0:0", 96],
    ["64:ff9b::", 96],
    ["64:ff9b:1::", 48],
    ["100::", 64],
    ["100:0:0:1::", 64],
    ["2001::", 23],
    ["2001:db8::", 32],
    ["2002::", 16],
    ["2620:4f:8000::", 48],
    ["3fff::", 20],
    ["5f00::", 16],
    ["fc00::", 7],
    ["fe80::", 10],
    ["ff00::", 8],
    // ipv6-address-space: everything that is not 2000::/3 is reserved, row by row.
    ["0000::", 8],
    ["0100::", 8],
    ["0200::", 7],
    ["0400::", 6],
    ["0800::", 5],
    ["1000::", 4],
    ["4000::", 3],
    ["6000::", 3],
    ["8000::", 3],
    ["a000::", 3],
    ["c000::", 3],
    ["e000::", 4],
    ["f000::", 5],
    ["f800::", 6],
    ["fe00::", 9],
    ["fec0::", 10],
  ];
  for (const [network, prefix] of ipv4) refused.ipv4.addSubnet(network, prefix, "ipv4");
  for (const [network, prefix] of ipv6) refused.ipv6.addSubnet(network, prefix, "ipv6");
  // A public address that serves cloud metadata.
  refused.ipv4.addAddress("168.63.129.16", "ipv4");
  return refused;
}

const oracle = createOracle();
const gate = createGate({ allow: [], allowLoopback: false, ownTargets: [] });

function isLetThrough(host: string): boolean {
  return gate.mayResolve(toDestination(new URL(`http://${host}/`)));
}

const edgesOfIpv4 = [
  "0.0.0.0",
  "9.255.255.255",
  "10.0.0.0",
  "11.0.0.0",
  "100.63.255.255",
  "100.64.0.0",
  "100.128.0.0",
  "126.255.255.255",
  "127.0.0.1",
  "128.0.0.0",
  "168.63.129.16",
  "169.253.255.255",
  "169.254.169.254",
  "169.255.0.0",
  "172.15.255.255",
  "172.16.0.0",
  "172.31.255.255",
  "172.32.0.0",
  "192.0.0.0",
  "192.0.1.0",
  "192.0.2.0",
  "192.0.3.0",
  "192.88.98.255",
  "192.88.99.1",
  "192.167.255.255",
  "192.168.0.1",
  "192.169.0.0",
  "198.17.255.255",
  "198.18.0.0",
  "198.20.0.0",
  "203.0.112.255",
  "203.0.113.0",
  "203.0.114.0",
  "223.255.255.255",
  "224.0.0.0",
  "239.255.255.255",
  "240.0.0.0",
  "255.255.255.255",
].map((text) => Number(parseAddress(text)!.value));

const ipv4 = fc.oneof(
  fc.integer({ min: 0, max: 0xffffffff }),
  fc
    .tuple(fc.constantFrom(...edgesOfIpv4), fc.integer({ min: -2, max: 2 }))
    .map(([edge, step]) => Math.min(0xffffffff, Math.max(0, edge + step))),
);

const edgesOfIpv6 = [
  "::",
  "::1",
  "::ffff:0:0",
  "64:ff9b::",
  "64:ff9b:1::",
  "100::",
  "1fff:ffff::",
  "2000::",
  "2001::",
  "2001:1ff:ffff::",
  "2001:200::",
  "2001:db7:ffff::",
  "2001:db8::",
  "2001:db9::",
  "2001:ffff::",
  "2002::",
  "2003::",
  "2606:4700:4700::1111",
  "2620:4f:7fff::",
  "2620:4f:8000::",
  "2620:4f:8001::",
  "3ffe::",
  "3fff::",
  "3fff:fff::",
  "3fff:1000::",
  "4000::",
  "5f00::",
  "fc00::",
  "fd00:ec2::254",
  "fe80::",
  "fec0::",
  "ff02::1",
].map((text) => parseAddress(text)!.value);

const ipv6 = fc.oneof(
  fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }),
  fc.bigInt({ min: 1n << 125n, max: (1n << 126n) - 1n }),
  fc
    .tuple(fc.constantFrom(...edgesOfIpv6), fc.integer({ min: -1, max: 1 }), fc.boolean())
    .map(([edge, step, isFar]) => {
      const moved = edge + BigInt(step) * (isFar ? 1n << 64n : 1n);
      return moved < 0n ? 0n : moved & ((1n << 128n) - 1n);
    }),
  fc.tuple(ipv4, fc.nat({ max: 7 })).map(([value, form]) => carryIpv4(value)[form]!),
);

const spelledIpv4 = fc.tuple(ipv4, fc.nat({ max: 14 })).map(([value, spelling]) => ({
  canonical: [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].join("."),
  host: spellIpv4(value)[spelling]!,
}));

test("S12: IPv4 addresses in any spelling are judged as the IANA registries judge them", () => {
  fc.assert(
    fc.property(spelledIpv4, ({ canonical, host }) => isLetThrough(host) === !oracle.ipv4.check(canonical, "ipv4")),
    { numRuns: repetitions(10_000, 60_000) },
  );
});

test("S12: IPv6 addresses in any spelling are judged as the IANA registries judge them", () => {
  fc.assert(
    fc.property(fc.tuple(ipv6, fc.nat({ max: 4 })), ([value, spelling]) => {
      const canonical = spellIpv6(value)[0]!.slice(1, -1);
      return isLetThrough(spellIpv6(value)[spelling]!) === !oracle.ipv6.check(canonical, "ipv6");
    }),
    { numRuns: repetitions(10_000, 60_000) },
  );
});

test("S01: an IPv4 address inside IPv6 is refused even when the IPv4 address is public", () => {
  const publicAddress = Number(parseAddress("93.184.216.34")!.value);
  for (const value of carryIpv4(publicAddress)) expect(isLetThrough(spellIpv6(value)[3]!)).toBe(false);
});

test("ordinary public addresses are allowed", () => {
  const hosts = ["93.184.216.34", "8.8.8.8", "1.1.1.1", "172.32.0.1", "192.0.1.1", "198.20.0.1", "223.255.255.254"];
  for (const host of [...hosts, "[2606:2800:220:1:248:1893:25c8:1946]", "[2a00:1450:4001::1]", "[3ffe::1]"]) {
    expect({ host, isLetThrough: isLetThrough(host) }).toEqual({ host, isLetThrough: true });
  }
});

test("loopback is 127.0.0.0/8 and ::1 only in their canonical form", () => {
  const loopback = ["127.0.0.1", "127.255.255.255", "::1"];
  const others = ["126.255.255.255", "128.0.0.0", "::ffff:127.0.0.1", "::127.0.0.1", "0.0.0.0", "::"];
  expect(loopback.map((text) => isLoopback(parseAddress(text)!))).toEqual([true, true, true]);
  expect(others.map((text) => isLoopback(parseAddress(text)!))).not.toContain(true);
});

test("S10: metadata addresses are recognized in every IPv6 form that embeds them", () => {
  const carried = carryIpv4(Number(parseAddress("169.254.169.254")!.value)).slice(0, 4);
  for (const value of carried) expect(isMetadata({ version: 6, value })).toBe(true);
  for (const text of ["169.254.169.254", "169.254.170.2", "fd00:ec2::254", "100.100.100.200", "168.63.129.16"]) {
    expect(isMetadata(parseAddress(text)!)).toBe(true);
  }
  expect(isMetadata(parseAddress("169.254.1.1")!)).toBe(false);
});

test("an address with a zone, a port or a non-canonical spelling is rejected", () => {
  for (const text of ["fe80::1%eth0", "127.1", "0x7f000001", "127.0.0.1:80", "[::1]", "", "example"]) {
    expect(parseAddress(text)).toBeUndefined();
  }
});

test("a range is masked to its prefix, and an invalid prefix is rejected", () => {
  expect(parseRange("10.2.3.4/16")).toEqual(parseRange("10.2.0.0/16"));
  for (const text of ["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "::/129", "10.0.0.0/-1", "10.0.0/8"]) {
    expect(parseRange(text)).toBeUndefined();
  }
});

test("the whole IPv6 space outside 2000::/3 is special", () => {
  expect(isSpecialPurpose(parseAddress("1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")!)).toBe(true);
  expect(isSpecialPurpose(parseAddress("2003::")!)).toBe(false);
  expect(isSpecialPurpose(parseAddress("4000::")!)).toBe(true);
});
