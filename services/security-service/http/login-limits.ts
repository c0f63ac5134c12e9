import type { Executor } from "../../kit/database/database.ts";
import { accountLimit, addressLimit, knownPlaceMilliseconds } from "../domain/login-limit.ts";
import { clientGroup, type TryLimit } from "../domain/try-limit.ts";
import { isKnownPlace, rememberPlace } from "../store/known-places.ts";
import type { SecurityTables } from "../store/tables.ts";
import { countTry, forgetTry, tryKey } from "../store/tries.ts";
import { tooManyTries } from "./too-many-tries.ts";

type Db = Executor<SecurityTables>;

function refuse(oldestTry: Date, limit: TryLimit, now: Date): never {
  throw tooManyTries("Too many tries to sign in.", oldestTry, limit, now);
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
  const group = clientGroup(address);
  const addressKey = tryKey("address", group);
  const accountKey = tryKey("account", usernameKey);
  const placeKey = tryKey("place", usernameKey, group);

  const oldestOfAddress = await countTry(db, addressKey, addressLimit, now);
  if (oldestOfAddress) refuse(oldestOfAddress, addressLimit, now);
  let countedKey = accountKey;
  const oldestOfAccount = await countTry(db, accountKey, accountLimit, now);
  if (oldestOfAccount) {
    const since = new Date(now.getTime() - knownPlaceMilliseconds);
    const isKnown = address !== undefined && (await isKnownPlace(db, placeKey, since));
    if (!isKnown) refuse(oldestOfAccount, accountLimit, now);
    const oldestOfPlace = await countTry(db, placeKey, accountLimit, now);
    if (oldestOfPlace) refuse(oldestOfPlace, accountLimit, now);
    countedKey = placeKey;
  }
  const takeBack = () => forgetTry(db, [addressKey, countedKey], now);
  return {
    takeBack,
    async succeed() {
      await takeBack();
      if (address !== undefined) await rememberPlace(db, placeKey, now);
    },
  };
}
