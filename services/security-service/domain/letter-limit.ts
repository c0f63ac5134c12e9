import type { TryLimit } from "./try-limit.ts";

const hour = 60 * 60 * 1_000;

/**
 * Letters that forms open to everybody may cause to one address: nobody is to be buried in mail by somebody else's
 * typing. What the holder of a link asks for does not count.
 */
export const hourlyLetterLimit: TryLimit = { tries: 5, windowMilliseconds: hour };
export const dailyLetterLimit: TryLimit = { tries: 20, windowMilliseconds: 24 * hour };
