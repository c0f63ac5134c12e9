import { createHash } from "node:crypto";
import type { Executor } from "../../kit/database/database.ts";
import { spendHumanCheck } from "./spent-human-checks.ts";
import type { SecurityTables } from "./tables.ts";

/** Longer than the browser keeps a sign-on's state, by more than clocks of processes differ. */
const keptMilliseconds = 2 * 60 * 60_000;

/**
 * Spends the state of a sign-on, beside visitors' checks, which are also used once.
 * @returns false when it was spent already; of several at the same moment one is the first
 */
export async function spendSignOn(db: Executor<SecurityTables>, state: string, now: Date): Promise<boolean> {
  const hash = `sign-on:${createHash("sha256").update(state).digest("base64url")}`;
  return await spendHumanCheck(db, hash, new Date(now.getTime() + keptMilliseconds));
}
