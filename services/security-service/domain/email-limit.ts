import type { TryLimit } from "./try-limit.ts";

const hour = 60 * 60 * 1_000;

/**
 * Emails that public forms may send to one address, so that a stranger's mailbox can't be flooded. Emails requested by
 * the holder of a link do not count.
 */
export const hourlyEmailLimit: TryLimit = { tries: 5, windowMilliseconds: hour };
export const dailyEmailLimit: TryLimit = { tries: 20, windowMilliseconds: 24 * hour };
