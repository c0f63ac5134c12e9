import ipaddr from "ipaddr.js";

export interface LoginLimit {
  /** Tries in any window of this length; a sliding one, so that no pause lets twice as many through. */
  tries: number;
  windowMilliseconds: number;
}

const quarterOfAnHour = 15 * 60 * 1_000;

export const accountLimit: LoginLimit = { tries: 10, windowMilliseconds: quarterOfAnHour };
/** Higher than an account's: a whole office can share one address. */
export const addressLimit: LoginLimit = { tries: 100, windowMilliseconds: quarterOfAnHour };

/** How long an address from which somebody signed in stays a known one of theirs. */
export const knownPlaceMilliseconds = 30 * 24 * 60 * 60 * 1_000;

/** Whole seconds until the oldest try leaves the window. */
export function retryAfterSeconds(oldestTry: Date, limit: LoginLimit, now: Date): number {
  return Math.max(1, Math.ceil((oldestTry.getTime() + limit.windowMilliseconds - now.getTime()) / 1_000));
}

/**
 * Who is counted as one client: an IPv4 address, or an IPv6 /64, which is what one household or server holds.
 * Whatever is no address is one client together.
 */
export function addressGroup(address: string): string {
  if (!ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return `${parsed
    .toByteArray()
    .slice(0, 8)
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")}/64`;
}
