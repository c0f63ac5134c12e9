import { createHash } from "node:crypto";
import type { Executor } from "../../kit/database/database.ts";
import { Problem } from "../../kit/problem/problem.ts";
import { accountLimit, addressGroup, addressLimit, retryAfterSeconds } from "../domain/login-limit.ts";
import { countLoginTry, forgetLoginTry } from "../store/login-tries.ts";
import type { SecurityTables } from "../store/tables.ts";

type Db = Executor<SecurityTables>;

/** Hashed, because people type passwords into the name field. */
function keyFor(kind: "account" | "address", value: string): string {
  return `${kind}:${createHash("sha256").update(value).digest("base64url")}`;
}

/**
 * Counts a try against the account (known or not: the answer must not tell) and against the client's address.
 * @returns takes the try back, once it turned out to be the owner's
 * @throws Problem too_many_requests with the seconds to wait
 */
export async function admitLoginTry(
  db: Db,
  usernameKey: string,
  address: string | undefined,
  now: Date,
): Promise<() => Promise<void>> {
  const counted: string[] = [];
  const limits = [
    { key: keyFor("address", address === undefined ? "direct" : addressGroup(address)), limit: addressLimit },
    { key: keyFor("account", usernameKey), limit: accountLimit },
  ];
  for (const { key, limit } of limits) {
    const oldestTry = await countLoginTry(db, key, limit, now);
    if (oldestTry) {
      const seconds = retryAfterSeconds(oldestTry, limit, now);
      throw new Problem("too_many_requests", `Too many tries to sign in. Wait ${Math.ceil(seconds / 60)} minutes.`, {
        retryAfterSeconds: seconds,
      });
    }
    counted.push(key);
  }
  return () => forgetLoginTry(db, counted, now);
}
