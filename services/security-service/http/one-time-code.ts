import { Problem } from "#contracts/kit/problem.ts";
import type { Vault } from "../../kit/vault/vault.ts";
import { accountLimit } from "../domain/login-limit.ts";
import { stepOfCode } from "../secrets/one-time-codes.ts";
import { type SecondFactorRow, spendStep } from "../store/second-factors.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { countTry, forgetTry, tryKey } from "../store/tries.ts";
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

/** Whether a code is valid and unused. A valid code is consumed. */
export async function spendAppCode(
  { db, vault }: { db: SecurityDatabase; vault: Vault },
  factor: SecondFactorRow,
  code: string,
  now: Date,
): Promise<boolean> {
  const step = stepOfCode(vault.open(factor.sealed_secret, toSecretLocation(factor.user_id)), code, now);
  return step !== undefined && (await spendStep(db, factor.user_id, step));
}
