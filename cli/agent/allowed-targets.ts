import { type AllowedTarget, parseEgressAllow } from "#libraries/egress/egress.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";

export interface Allowed {
  targets: AllowedTarget[];
  /** Whether public addresses are refused unless they are among the targets. */
  onlyListed: boolean;
}

/**
 * What this agent may send to, as its own options say; the portal has no part in it. With targets, these are all;
 * `public` among them adds public addresses, which are the default.
 */
export function parseAllowed(entries: readonly string[]): Allowed {
  const named = entries.flatMap((entry) => entry.split(/[\s,]+/)).filter((entry) => entry !== "");
  const listed = named.filter((entry) => entry.toLowerCase() !== "public");
  try {
    return {
      targets: parseEgressAllow(listed.join(",")),
      onlyListed: listed.length > 0 && listed.length === named.length,
    };
  } catch (error) {
    throw new CommandError(exitCodes.usage, (error as Error).message.replace("EGRESS_ALLOW has", "--allow takes no"));
  }
}
