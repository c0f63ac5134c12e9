import { networkInterfaces } from "node:os";
import {
  type Address,
  type AddressRange,
  isLoopback,
  isMetadata,
  isSpecialPurpose,
  parseAddress,
  parseRange,
  rangeContains,
} from "./address-ranges.ts";

export type AllowedTarget =
  | { kind: "loopback" }
  | { kind: "address"; range: AddressRange; port: number }
  | { kind: "name"; name: string; port: number };

export interface OwnTarget {
  host: string;
  port: number;
}

export interface EgressPolicy {
  /** Read at every connect: a changed list applies from the next connection. */
  allow: AllowedTarget[];
  /** Allows `localhost`, 127.0.0.0/8 and ::1 on ordinary ports. Other names that resolve there stay blocked. */
  allowLoopback: boolean;
  /** Refuses public addresses, too, unless `allow` has them. */
  onlyListed?: boolean;
  /**
   * The portal's own listeners, refused (S08) unless `allow` names exactly that host (or its one address) and port. A
   * wildcard host (`0.0.0.0`, `::`) matches every address of this machine. Read at every connect, so that a port known
   * only after listening may be added later.
   */
  ownTargets: OwnTarget[];
}

const metadataNames = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "instance-data",
  "instance-data.ec2.internal",
  "metadata.azure.internal",
  "metadata.tencentyun.com",
]);

/**
 * Well-known ports of databases, brokers, orchestrators and remote shells, and the fetch standard's bad ports above
 * 1023.
 */
const deniedPorts = new Set([
  1433, 1434, 1521, 1719, 1720, 1723, 2049, 2181, 2375, 2376, 2377, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 4369,
  5060, 5061, 5432, 5433, 5671, 5672, 5900, 5901, 5984, 5985, 5986, 6000, 6379, 6380, 6432, 6443, 6566, 6665, 6666,
  6667, 6668, 6669, 6679, 6697, 7199, 7473, 7474, 7687, 8086, 8300, 8301, 8302, 8500, 9042, 9092, 9160, 9200, 9300,
  9418, 10080, 10249, 10250, 10255, 10256, 10257, 10259, 11211, 11210, 15432, 25672, 26257, 27017, 27018, 27019, 28015,
  33060, 61616,
]);

/**
 * Parses `EGRESS_ALLOW`: `10.0.0.1:8080, api.internal:443, 10.2.0.0/16:8080, [fd12::1]:8443, loopback`, separated by
 * commas or spaces.
 * @throws Error naming the invalid entry
 */
export function parseEgressAllow(text: string): AllowedTarget[] {
  return text
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .map(parseEntry);
}

function parseEntry(entry: string): AllowedTarget {
  if (entry.toLowerCase() === "loopback") return { kind: "loopback" };
  const match = /^(?:\[(?<bracketed>[^\]]+)\](?<prefix>\/\d+)?|(?<plain>[^:[\]]+)):(?<port>\d{1,5})$/.exec(entry);
  const groups = match?.groups;
  const port = Number(groups?.port);
  if (groups === undefined || !(port >= 1 && port <= 65_535)) {
    throw new Error(
      `EGRESS_ALLOW has "${entry}"; each entry is host:port, address:port, range/bits:port or "loopback".`,
    );
  }
  const host = groups.plain ?? `${groups.bracketed}${groups.prefix ?? ""}`;
  const range = parseRange(host);
  if (range !== undefined) return { kind: "address", range, port };
  if (groups.plain === undefined || !isHostName(host)) {
    throw new Error(`EGRESS_ALLOW has "${entry}"; "${host}" is neither an address, a range nor a host name.`);
  }
  return { kind: "name", name: canonicalName(host), port };
}

/** True for a name that the URL standard keeps as it is; `10.1` and `0x7f000001` are addresses in disguise. */
function isHostName(host: string): boolean {
  if (!/^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?\.?$/i.test(host)) return false;
  const url = URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`) : undefined;
  return url !== undefined && parseAddress(url.hostname) === undefined;
}

function canonicalName(host: string): string {
  return host.toLowerCase().replace(/\.$/, "");
}

/** A URL's host and port, as input of the policy. */
export interface Destination {
  /** Lower case, without IPv6 brackets and without a trailing dot. */
  host: string;
  port: number;
  /** Set when the host is an IP literal; such a host is never resolved. */
  literal?: Address;
}

export function toDestination(url: URL): Destination {
  const bare = url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : canonicalName(url.hostname);
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  const literal = parseAddress(bare);
  return literal === undefined ? { host: bare, port } : { host: bare, port, literal };
}

/** Why an address is allowed or refused; visible to operators, never to other users of the portal. */
export type RulingReason =
  | "listed"
  | "loopback"
  | "public"
  | "no_address"
  | "metadata"
  | "own"
  | "port"
  | "loopback_closed"
  | "private";

export interface Ruling {
  isAllowed: boolean;
  reason: RulingReason;
}

/** Decides which targets a policy allows. It never resolves or connects. */
export interface Gate {
  /** False when no resolved address could make the destination allowed, so that resolving it can be skipped. */
  mayResolve(destination: Destination): boolean;
  /** Checks one address of the destination: the literal, a resolved address, or a socket's peer. */
  permits(destination: Destination, addressText: string): boolean;
}

/** A gate that also explains its decisions. */
export interface ExplainingGate extends Gate {
  /** The decision of `permits`, with its reason. */
  judge(destination: Destination, addressText: string): Ruling;
  /** Why no resolved address could make the destination allowed; undefined if one could. */
  findRefusal(destination: Destination): RulingReason | undefined;
}

export function createGate(policy: EgressPolicy): ExplainingGate {
  const allowsLoopback = () => policy.allowLoopback || policy.allow.some(({ kind }) => kind === "loopback");
  const isListed = (port: number) => policy.allow.some((target) => target.kind !== "loopback" && target.port === port);

  function judge(destination: Destination, addressText: string): Ruling {
    const address = parseAddress(addressText);
    if (address === undefined) return refused("no_address");
    if (isMetadata(address)) return refused("metadata");
    if (isOwn(destination, address)) {
      const isNamed = policy.allow.some((target) => isExactly(target, destination, address));
      return isNamed ? allowed("listed") : refused("own");
    }
    if (policy.allow.some((target) => includes(target, destination, address))) return allowed("listed");
    if (policy.onlyListed) return refused("private");
    if (!isOrdinaryPort(destination.port)) return refused("port");
    if (isLoopback(address)) {
      const isPlain = destination.literal !== undefined || destination.host === "localhost";
      return isPlain && allowsLoopback() ? allowed("loopback") : refused("loopback_closed");
    }
    return isSpecialPurpose(address) ? refused("private") : allowed("public");
  }

  function isOwn(destination: Destination, address: Address): boolean {
    return policy.ownTargets.some(
      (own) => own.port === destination.port && (sameHost(own.host, destination.host) || listensOn(own.host, address)),
    );
  }

  function findRefusal(destination: Destination): RulingReason | undefined {
    if (destination.literal !== undefined) {
      const { isAllowed, reason } = judge(destination, destination.host);
      return isAllowed ? undefined : reason;
    }
    if (metadataNames.has(destination.host)) return "metadata";
    return isOrdinaryPort(destination.port) || isListed(destination.port) ? undefined : "port";
  }

  return {
    judge,
    findRefusal,
    permits: (destination, address) => judge(destination, address).isAllowed,
    mayResolve: (destination) => findRefusal(destination) === undefined,
  };
}

const allowed = (reason: RulingReason): Ruling => ({ isAllowed: true, reason });
const refused = (reason: RulingReason): Ruling => ({ isAllowed: false, reason });

function isOrdinaryPort(port: number): boolean {
  return port === 80 || port === 443 || (port >= 1024 && port <= 65_535 && !deniedPorts.has(port));
}

function includes(target: AllowedTarget, destination: Destination, address: Address): boolean {
  if (target.kind === "loopback" || target.port !== destination.port) return false;
  if (target.kind === "name") return target.name === destination.host;
  return rangeContains(target.range, address);
}

function isExactly(target: AllowedTarget, destination: Destination, address: Address): boolean {
  if (!includes(target, destination, address)) return false;
  return target.kind !== "address" || target.range.first === target.range.last;
}

function sameHost(own: string, host: string): boolean {
  return canonicalName(own.replace(/^\[|\]$/g, "")) === host;
}

/** Whether a listener bound to `host` is reachable at `address`. */
function listensOn(host: string, address: Address): boolean {
  const bound = parseAddress(host.replace(/^\[|\]$/g, ""));
  if (bound === undefined) return canonicalName(host) === "localhost" && isLoopback(address);
  if (bound.value !== 0n) {
    return (
      (bound.version === address.version && bound.value === address.value) || (isLoopback(bound) && isLoopback(address))
    );
  }
  return isLoopback(address) || isAddressOfThisMachine(address);
}

function isAddressOfThisMachine(address: Address): boolean {
  return Object.values(networkInterfaces()).some((entries) =>
    entries?.some((entry) => {
      const own = parseAddress(entry.address.replace(/%.*$/, ""));
      return own?.version === address.version && own.value === address.value;
    }),
  );
}
