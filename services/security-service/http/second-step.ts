import { Problem } from "#contracts/kit/problem.ts";
import { createMailedToken } from "../secrets/mailed-secrets.ts";
import { hasSecondFactor, insertChallenge } from "../store/second-factors.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import type { Account } from "../store/users.ts";

/** Long enough to find the phone. */
const challengeMilliseconds = 5 * 60_000;

/**
 * Interrupts a sign-in after the password, or after the organization's provider, when the account has a second factor.
 * @throws Problem second_factor_required
 */
export async function requireNoSecondFactor(
  db: SecurityDatabase,
  { userId }: Account,
  { userAgent, signedOnAt }: { userAgent: string; signedOnAt: Date | null },
  now: Date,
): Promise<void> {
  if (!(await hasSecondFactor(db, userId))) return;
  const { token: challenge, hash } = createMailedToken();
  const expiresAt = new Date(now.getTime() + challengeMilliseconds);
  await insertChallenge(db, { hash, userId, userAgent, expiresAt, signedOnAt });
  throw new Problem("second_factor_required", undefined, { challenge });
}
