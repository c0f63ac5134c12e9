import { Problem } from "#contracts/kit/problem.ts";
import type { Vault } from "../../kit/vault/vault.ts";
import { accountLimit } from "../domain/login-limit.ts";
import { stepOfCode } from "../secrets/one-time-codes.ts";
import { type SecondFactorRow, spendStep } from "../store/second-factors.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { countTry, forgetTry, tryKey } from "../store/tries.ts";
import { type FullDisk, unlessFull } from "./full-disk.ts";
import { tooManyTries } from "./too-many-tries.ts";

/** The context that a user's secret is bound to; user rows carry no organization. */
export const toSecretLocation = (userId: string) => ({
  organizationId: "installation",
  record: `second_factors/${userId}`,
});

export function wrongCode(): Problem {
  const message = "This code is wrong or was used already. Wait for the next one.";
  return new Problem("invalid_input", undefined, { errors: [{ path: "code", message }] });
}

/**
 * Limits tries with codes by account: without a limit, a million codes would be guessed in an hour.
 * @throws Problem too_many_requests
 * @returns a function that refunds the try
 */
export async function countCodeTry(db: SecurityDatabase, userId: string, now: Date): Promise<() => Promise<void>> {
  const key = tryKey("second-factor", userId);
  const oldest = await countTry(db, key, accountLimit, now);
  if (oldest) throw tooManyTries("Too many tries with a wrong code.", oldest, accountLimit, now);
  return () => forgetTry(db, [key], now);
}

/**
 * Whether a code is valid and unused. A valid code is consumed.
 * @param fullDisk if given, codes are also accepted while the disk is full
 */
export async function spendAppCode(
  { db, vault, fullDisk }: { db: SecurityDatabase; vault: Vault; fullDisk?: FullDisk },
  factor: SecondFactorRow,
  code: string,
  now: Date,
): Promise<boolean> {
  const { user_id: userId, sealed_secret: sealed, last_step: lastStep } = factor;
  const step = stepOfCode(vault.open(sealed, toSecretLocation(userId)), code, now);
  if (step === undefined) return false;
  if (!fullDisk) return await spendStep(db, userId, step);
  if (!fullDisk.isNewStep(userId, step)) return false;
  return await unlessFull(
    () => spendStep(db, userId, step),
    () => fullDisk.spendStep(userId, lastStep, step),
  );
}
