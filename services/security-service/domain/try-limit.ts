import ipaddr from "ipaddr.js";

export interface TryLimit {
  /** Tries in any window of this length; a sliding one, so that no pause lets twice as many through. */
  tries: number;
  windowMilliseconds: number;
}

/** No limit may look further back: what is older is removed. */
export const longestWindowMilliseconds = 24 * 60 * 60 * 1_000;

/** Whole seconds until the oldest try leaves the window. */
export function retryAfterSeconds(oldestTry: Date, limit: TryLimit, now: Date): number {
  return Math.max(1, Math.ceil((oldestTry.getTime() + limit.windowMilliseconds - now.getTime()) / 1_000));
}

/**
 * Who is counted as one client: an IPv4 address, or an IPv6 /64, which is what one household or server holds.
 * Whatever is no address is one client together, and so are all that call without the portal.
 */
export function clientGroup(address: string | undefined): string {
  if (address === undefined) return "direct";
  if (!ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return `${parsed
    .toByteArray()
    .slice(0, 8)
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")}/64`;
}
