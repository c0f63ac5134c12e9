import { createHash } from "node:crypto";
import type { Executor } from "../../kit/database/database.ts";
import { Problem } from "../../kit/problem/problem.ts";
import {
  accountLimit,
  addressGroup,
  addressLimit,
  knownPlaceMilliseconds,
  type LoginLimit,
  retryAfterSeconds,
} from "../domain/login-limit.ts";
import { isKnownPlace, rememberPlace } from "../store/known-places.ts";
import { countLoginTry, forgetLoginTry } from "../store/login-tries.ts";
import type { SecurityTables } from "../store/tables.ts";

type Db = Executor<SecurityTables>;

/** Hashed, because people type passwords into the name field. */
function keyFor(kind: "account" | "address" | "place", ...values: string[]): string {
  return `${kind}:${createHash("sha256").update(JSON.stringify(values)).digest("base64url")}`;
}

function refuse(oldestTry: Date, limit: LoginLimit, now: Date): never {
  const seconds = retryAfterSeconds(oldestTry, limit, now);
  const minutes = Math.ceil(seconds / 60);
  throw new Problem(
    "too_many_requests",
    `Too many tries to sign in. Wait ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`,
    { retryAfterSeconds: seconds },
  );
}

export interface AdmittedTry {
  /** For a try that was never checked. */
  takeBack(): Promise<void>;
  /** The password was right: the try does not count, and its address is known from now on. */
  succeed(): Promise<void>;
}

/**
 * Counts a try against the client's address and against the account, known or not: the answer must not tell. Somebody
 * else's guessing can use up the account's tries; from an address its owner signed in from before, own tries remain.
 * @throws Problem too_many_requests with the seconds to wait
 */
export async function admitLoginTry(
  db: Db,
  usernameKey: string,
  address: string | undefined,
  now: Date,
): Promise<AdmittedTry> {
  const group = address === undefined ? "direct" : addressGroup(address);
  const addressKey = keyFor("address", group);
  const accountKey = keyFor("account", usernameKey);
  const placeKey = keyFor("place", usernameKey, group);

  const oldestOfAddress = await countLoginTry(db, addressKey, addressLimit, now);
  if (oldestOfAddress) refuse(oldestOfAddress, addressLimit, now);
  let countedKey = accountKey;
  const oldestOfAccount = await countLoginTry(db, accountKey, accountLimit, now);
  if (oldestOfAccount) {
    const since = new Date(now.getTime() - knownPlaceMilliseconds);
    const isKnown = address !== undefined && (await isKnownPlace(db, placeKey, since));
    if (!isKnown) refuse(oldestOfAccount, accountLimit, now);
    const oldestOfPlace = await countLoginTry(db, placeKey, accountLimit, now);
    if (oldestOfPlace) refuse(oldestOfPlace, accountLimit, now);
    countedKey = placeKey;
  }
  const takeBack = () => forgetLoginTry(db, [addressKey, countedKey], now);
  return {
    takeBack,
    async succeed() {
      await takeBack();
      if (address !== undefined) await rememberPlace(db, placeKey, now);
    },
  };
}
