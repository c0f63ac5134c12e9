import { emailKey } from "../domain/email.ts";
import { dailyLetterLimit, hourlyLetterLimit } from "../domain/letter-limit.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { countTry, tryKey } from "../store/tries.ts";

/**
 * Counts a letter that a visitor's form wants sent to an address. False: it has had enough of them. The form is then
 * answered as ever, since whoever sent it may not be who reads there.
 */
export async function admitLetter(db: SecurityDatabase, email: string, now: Date): Promise<boolean> {
  const key = emailKey(email);
  if (await countTry(db, tryKey("letters-an-hour", key), hourlyLetterLimit, now)) return false;
  return (await countTry(db, tryKey("letters-a-day", key), dailyLetterLimit, now)) === undefined;
}
