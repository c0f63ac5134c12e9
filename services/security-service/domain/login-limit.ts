import type { TryLimit } from "./try-limit.ts";

const quarterOfAnHour = 15 * 60 * 1_000;

export const accountLimit: TryLimit = { tries: 10, windowMilliseconds: quarterOfAnHour };
/** Higher than the limit per account: a whole office can share one address. */
export const addressLimit: TryLimit = { tries: 100, windowMilliseconds: quarterOfAnHour };

/** While the disk is full, tries count in the memory of each process. */
export const fullDiskAccountLimit: TryLimit = { tries: 5, windowMilliseconds: quarterOfAnHour };
export const fullDiskProcessLimit: TryLimit = { tries: 20, windowMilliseconds: quarterOfAnHour };

/** How long an address from which an account was signed in to stays known for it. */
export const knownAddressMilliseconds = 30 * 24 * 60 * 60 * 1_000;
