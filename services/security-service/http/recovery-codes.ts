import type { RecoveryCodes } from "../secrets/one-time-codes.ts";
import { replaceRecoveryCodes } from "../store/second-factors.ts";
import type { SecurityTransaction } from "../store/tables.ts";

/** Creates recovery codes that replace the previous ones; only hashes are stored. */
export async function storeNewCodes(
  transaction: SecurityTransaction,
  recoveryCodes: RecoveryCodes,
  userId: string,
): Promise<string[]> {
  const codes = recoveryCodes.create();
  const hashes = codes.map((code) => recoveryCodes.hash(userId, code));
  await replaceRecoveryCodes(transaction, userId, hashes);
  return codes;
}
