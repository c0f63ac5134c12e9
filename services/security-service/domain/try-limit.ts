import ipaddr from "ipaddr.js";

export interface TryLimit {
  /** Maximum tries in any window of this length; the window slides, so that a pause never allows twice as many. */
  tries: number;
  windowMilliseconds: number;
}

/** No limit may look back further: older tries are deleted. */
export const longestWindowMilliseconds = 24 * 60 * 60 * 1_000;

/** Whole seconds until the oldest try leaves the window. */
export function retryAfterSeconds(oldestTry: Date, limit: TryLimit, now: Date): number {
  return Math.max(1, Math.ceil((oldestTry.getTime() + limit.windowMilliseconds - now.getTime()) / 1_000));
}

/**
 * The client that a try counts for: an IPv4 address, or an IPv6 /64, the usual allocation of one household or server.
 * All invalid addresses count as one client, and so do all callers that bypass the portal.
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
