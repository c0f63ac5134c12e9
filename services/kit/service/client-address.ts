import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

const listsByRanges = new WeakMap<string[], BlockList>();

function getBlockList(ranges: string[]): BlockList {
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

/** Headers of RFC 7239 and 9110, their predecessors, and those specific to proxies and CDNs. */
const forwardingHeader =
  /^(forwarded|via|x-real-ip|x-(forwarded|original|envoy)-.+|((x|true|fastly|x-cluster)-)?client-ip|.+-connecting-ip)$/;

/** Whether a proxy forwarded the request, or the sender claims so. */
export function isForwarded(headers: Headers): boolean {
  return [...headers.keys()].some((name) => forwardingHeader.test(name));
}

type Received = Pick<IncomingMessage, "socket" | "headers">;

function isTrusted(address: string, trustedProxies: string[]): boolean {
  const list = getBlockList(trustedProxies);
  return isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** Whether the peer itself is one of the operator's proxies. */
export function isFromTrustedProxy(request: Received, trustedProxies: string[]): boolean {
  return isTrusted(plain(request.socket.remoteAddress ?? ""), trustedProxies);
}

/**
 * The address a request comes from. `X-Forwarded-For` counts only when the peer is a trusted proxy, and then from
 * the right: the first address that is not a trusted proxy itself.
 */
export function getClientAddress(request: Received, trustedProxies: string[]): string {
  const peer = plain(request.socket.remoteAddress ?? "");
  if (!isFromTrustedProxy(request, trustedProxies)) return peer;
  const forwarded = String(request.headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((entry) => plain(entry.trim()))
    .reverse();
  const client = forwarded.find((address) => !isTrusted(address, trustedProxies));
  return client && isIP(client) ? client : peer;
}
