import { emailKey } from "../domain/email.ts";
import { dailyEmailLimit, hourlyEmailLimit } from "../domain/email-limit.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { countTry, tryKey } from "../store/tries.ts";

/**
 * Counts an email that a visitor's form requests for an address. False when the limit is reached: the response must
 * then be the usual one, since the sender may not be the address's owner.
 */
export async function admitEmail(db: SecurityDatabase, email: string, now: Date): Promise<boolean> {
  const key = emailKey(email);
  if (await countTry(db, tryKey("letters-an-hour", key), hourlyEmailLimit, now)) return false;
  return (await countTry(db, tryKey("letters-a-day", key), dailyEmailLimit, now)) === undefined;
}
