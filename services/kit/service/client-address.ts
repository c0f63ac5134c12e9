import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

const listsByRanges = new WeakMap<string[], BlockList>();

function listOf(ranges: string[]): BlockList {
  const known = listsByRanges.get(ranges);
  if (known) return known;
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits) list.addSubnet(address, Number(bits), family);
    else list.addAddress(address, family);
  }
  listsByRanges.set(ranges, list);
  return list;
}

function plain(address: string): string {
  return address.replace(/^::ffff:/, "");
}

/**
 * The address a request comes from. `X-Forwarded-For` counts only when the peer is a trusted proxy, and then from
 * the right: the first address that is not a trusted proxy itself.
 */
export function clientAddressOf(
  request: Pick<IncomingMessage, "socket" | "headers">,
  trustedProxies: string[],
): string {
  const peer = plain(request.socket.remoteAddress ?? "");
  const list = listOf(trustedProxies);
  const trusted = (address: string) =>
    isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  if (!trusted(peer)) return peer;
  const forwarded = String(request.headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((entry) => plain(entry.trim()))
    .reverse();
  const client = forwarded.find((address) => !trusted(address));
  return client && isIP(client) ? client : peer;
}
