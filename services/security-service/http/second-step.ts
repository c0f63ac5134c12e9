import { Problem } from "#contracts/kit/problem.ts";
import { createMailedToken } from "../secrets/mailed-secrets.ts";
import { hasSecondFactor, insertChallenge } from "../store/second-factors.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import type { Account } from "../store/users.ts";
import { onlyOperators, unlessFull } from "./full-disk.ts";

/** Long enough to find the phone. */
const challengeMilliseconds = 5 * 60_000;

/**
 * Interrupts a sign-in after the password, or after the organization's provider, when the account has a second factor.
 * @param createUnstored the challenge on a full disk, for those who may sign in then
 * @throws Problem second_factor_required
 */
export async function requireNoSecondFactor(
  db: SecurityDatabase,
  { userId }: Account,
  { userAgent, signedOnAt }: { userAgent: string; signedOnAt: Date | null },
  now: Date,
  createUnstored?: (userId: string, expiresAt: Date) => string,
): Promise<void> {
  if (!(await hasSecondFactor(db, userId))) return;
  const expiresAt = new Date(now.getTime() + challengeMilliseconds);
  const challenge = await unlessFull(
    async () => {
      const { token, hash } = createMailedToken();
      await insertChallenge(db, { hash, userId, userAgent, expiresAt, signedOnAt });
      return token;
    },
    () => {
      if (!createUnstored) throw onlyOperators();
      return createUnstored(userId, expiresAt);
    },
  );
  throw new Problem("second_factor_required", undefined, { challenge });
}
