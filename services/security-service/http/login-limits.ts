import { Problem } from "#contracts/kit/problem.ts";
import type { Executor } from "../../kit/database/database.ts";
import { accountLimit, addressLimit, knownPlaceMilliseconds } from "../domain/login-limit.ts";
import { clientGroup, type TryLimit } from "../domain/try-limit.ts";
import { isKnownPlace, rememberPlace } from "../store/known-places.ts";
import type { SecurityTables } from "../store/tables.ts";
import { countTry, forgetTry, tryKey } from "../store/tries.ts";
import { tooManyTries } from "./too-many-tries.ts";

type Db = Executor<SecurityTables>;

const refusalOf = (oldestTry: Date, limit: TryLimit, now: Date): Problem =>
  tooManyTries("Too many tries to sign in.", oldestTry, limit, now);

export interface SignInNames {
  /** What was typed, as `usernameKey` makes it. */
  typed: string;
  /** The account's username in that form; undefined when no account has the typed name or address. */
  account: string | undefined;
}

export interface AdmittedTry {
  /** False: the answer is that of a wrong password, whatever was typed. */
  mayCheck: boolean;
  /** What a wrong password is answered. */
  refusal: Problem;
  /** For a try that was never checked. */
  takeBack(): Promise<void>;
  /** The password was right: the try does not count, and its address is known from now on. */
  succeed(): Promise<void>;
}

/**
 * Counts a try against the client's address and against the account, known or not: the answer must not tell. Somebody
 * else's guessing can use up the account's tries, or an office's; from an address its owner signed in from before, own
 * tries remain.
 *
 * What was typed, username or e-mail address, counts by itself and for the account it leads to. Where only the account's
 * tries are used up, the answer is the one for a wrong password: a limit that one name uses up for another would tell that
 * both are one account.
 * @throws Problem too_many_requests with the seconds to wait
 */
export async function admitLoginTry(
  db: Db,
  names: SignInNames,
  address: string | undefined,
  now: Date,
): Promise<AdmittedTry> {
  const group = clientGroup(address);
  const owner = names.account ?? names.typed;
  const placeKey = tryKey("place", owner, group);
  const counted: string[] = [];
  async function count(key: string, limit: TryLimit): Promise<Date | undefined> {
    const oldest = await countTry(db, key, limit, now);
    if (!oldest) counted.push(key);
    return oldest;
  }

  const knownSince = new Date(now.getTime() - knownPlaceMilliseconds);
  const isFromKnownPlace = async () => address !== undefined && (await isKnownPlace(db, placeKey, knownSince));

  const oldestOfAddress = await count(tryKey("address", group), addressLimit);
  if (oldestOfAddress && !(await isFromKnownPlace())) throw refusalOf(oldestOfAddress, addressLimit, now);
  const oldestOfName = await count(tryKey("name", names.typed), accountLimit);
  // The same work for a name that leads nowhere, under a key that is nobody's.
  const accountKey = names.account === undefined ? tryKey("account", names.typed, "nobody") : tryKey("account", owner);
  const oldestOfAccount = await count(accountKey, accountLimit);

  let mayCheck = true;
  if (oldestOfAddress || oldestOfName || oldestOfAccount) {
    const isKnown = await isFromKnownPlace();
    const oldestOfPlace = isKnown ? await count(placeKey, accountLimit) : undefined;
    if (oldestOfPlace) throw refusalOf(oldestOfPlace, accountLimit, now);
    if (!isKnown && oldestOfName) throw refusalOf(oldestOfName, accountLimit, now);
    mayCheck = isKnown;
  }
  const takeBack = () => forgetTry(db, counted, now);
  return {
    mayCheck,
    // Nobody learns from the answer which accounts an exhausted address is known of.
    refusal: oldestOfAddress ? refusalOf(oldestOfAddress, addressLimit, now) : new Problem("invalid_credentials"),
    takeBack,
    async succeed() {
      await takeBack();
      if (address !== undefined) await rememberPlace(db, placeKey, now);
    },
  };
}
