import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

export interface Address {
  readonly version: 4 | 6;
  readonly value: bigint;
}

export interface AddressRange {
  readonly version: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

/**
 * IANA IPv4 Special-Purpose Address Registry (RFC 6890 and updates) and the IPv4 multicast space (RFC 5771). Includes
 * the entries that the registry marks as globally reachable (AS112, AMT): no API is hosted there.
 */
const ipv4SpecialPurpose = [
  "0.0.0.0/8", // this network, RFC 791
  "10.0.0.0/8", // private use, RFC 1918
  "100.64.0.0/10", // shared address space, RFC 6598
  "127.0.0.0/8", // loopback, RFC 1122
  "169.254.0.0/16", // link local, RFC 3927
  "172.16.0.0/12", // private use, RFC 1918
  "192.0.0.0/24", // protocol assignments, RFC 6890
  "192.0.2.0/24", // TEST-NET-1, RFC 5737
  "192.31.196.0/24", // AS112-v4, RFC 7535
  "192.52.193.0/24", // AMT, RFC 7450
  "192.88.99.0/24", // 6to4 relay anycast, RFC 7526
  "192.168.0.0/16", // private use, RFC 1918
  "192.175.48.0/24", // direct delegation AS112, RFC 7534
  "198.18.0.0/15", // benchmarking, RFC 2544
  "198.51.100.0/24", // TEST-NET-2, RFC 5737
  "203.0.113.0/24", // TEST-NET-3, RFC 5737
  "224.0.0.0/4", // multicast, RFC 5771
  "240.0.0.0/4", // reserved and limited broadcast, RFC 1112, RFC 919
];

/**
 * IANA IPv6 Special-Purpose Address Registry, and the IPv6 Address Space registry: only 2000::/3 is global unicast.
 * The three complements of 2000::/3 cover every form that embeds an IPv4 address (mapped, compatible, NAT64),
 * loopback, unique local, link local and multicast. Listing the complement also refuses space that is assigned in the
 * future.
 */
const ipv6SpecialPurpose = [
  "::/3", // ::, ::1, ::/96, ::ffff:0:0/96, 64:ff9b::/96, 64:ff9b:1::/48, 100::/64, 100:0:0:1::/64
  "4000::/2", // 5f00::/16 (segment routing, RFC 9602); the rest is unassigned
  "8000::/1", // fc00::/7 (RFC 4193), fe80::/10 (RFC 4291), fec0::/10 (RFC 3879), ff00::/8 (RFC 4291)
  "2001::/23", // protocol assignments, RFC 2928: Teredo 2001::/32, benchmarking 2001:2::/48, ORCHIDv2 2001:20::/28
  "2001:db8::/32", // documentation, RFC 3849
  "2002::/16", // 6to4, RFC 3056
  "2620:4f:8000::/48", // direct delegation AS112, RFC 7534
  "3fff::/20", // documentation, RFC 9637
];

/** Instance metadata services, which return credentials without authentication, so no allow-list opens them. */
const metadataAddresses = [
  "169.254.169.0/24", // AWS, Azure, Google, DigitalOcean, OpenStack use .254; others its neighbours
  "169.254.170.0/24", // AWS container (.2) and pod (.23) credentials
  "100.100.100.200/32", // Alibaba
  "168.63.129.16/32", // Azure wire server, a public address
  "192.0.0.192/32", // Oracle
  "fd00:ec2::/32", // AWS
  "fd20:ce::254/128", // Google
  "fe80::a9fe:a9fe/128", // OpenStack
];

const ipv4Bits = 32n;
const ipv6Bits = 128n;

/** Parses a canonical IP literal; undefined for anything else, zone identifiers (`fe80::1%eth0`) included. */
export function parseAddress(text: string): Address | undefined {
  const version = isIP(text);
  if (version === 0 || text.includes("%")) return undefined;
  let value = 0n;
  for (const byte of ipaddr.parse(text).toByteArray()) value = (value << 8n) | BigInt(byte);
  return version === 4 ? { version: 4, value } : { version: 6, value };
}

/** Parses a CIDR block (`10.0.0.0/8`) or a single address; undefined for anything else. */
export function parseRange(text: string): AddressRange | undefined {
  const [addressText = "", prefixText, ...rest] = text.split("/");
  const address = parseAddress(addressText);
  if (address === undefined || rest.length > 0) return undefined;
  const bits = address.version === 4 ? ipv4Bits : ipv6Bits;
  if (prefixText !== undefined && !/^\d{1,3}$/.test(prefixText)) return undefined;
  const prefix = prefixText === undefined ? bits : BigInt(prefixText);
  if (prefix > bits) return undefined;
  const size = 1n << (bits - prefix);
  const first = address.value - (address.value % size);
  return { version: address.version, first, last: first + size - 1n };
}

export function rangeContains(range: AddressRange, address: Address): boolean {
  return range.version === address.version && range.first <= address.value && address.value <= range.last;
}

function parseTable(table: readonly string[]): readonly AddressRange[] {
  return table.map((entry) => {
    const range = parseRange(entry);
    if (range === undefined) throw new Error(`The address table holds ${entry}, which is not a range.`);
    return range;
  });
}

const specialPurposeRanges = parseTable([...ipv4SpecialPurpose, ...ipv6SpecialPurpose]);
const metadataRanges = parseTable(metadataAddresses);
const loopbackRanges = parseTable(["127.0.0.0/8", "::1"]);
const ipv4CarryingRanges = parseTable(["::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96"]);
const sixToFourRange = parseTable(["2002::/16"]);

function isWithin(ranges: readonly AddressRange[], address: Address): boolean {
  return ranges.some((range) => rangeContains(range, address));
}

/** True for every address that is not ordinary, globally routed unicast. */
export function isSpecialPurpose(address: Address): boolean {
  return isWithin(specialPurposeRanges, address);
}

/** True for 127.0.0.0/8 and ::1 in canonical form. `::ffff:127.0.0.1` is a disguise and does not count. */
export function isLoopback(address: Address): boolean {
  return isWithin(loopbackRanges, address);
}

/** True for a cloud's metadata service, also when an IPv6 address embeds its IPv4 address. */
export function isMetadata(address: Address): boolean {
  if (isWithin(metadataRanges, address)) return true;
  const carried = carriedIpv4(address);
  return carried !== undefined && isWithin(metadataRanges, carried);
}

/** The IPv4 address embedded in an IPv4-compatible, -mapped, -translated, NAT64 or 6to4 address. */
function carriedIpv4(address: Address): Address | undefined {
  if (isWithin(ipv4CarryingRanges, address)) return { version: 4, value: address.value & 0xffffffffn };
  if (isWithin(sixToFourRange, address)) return { version: 4, value: (address.value >> 80n) & 0xffffffffn };
  return undefined;
}
