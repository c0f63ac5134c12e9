import { Problem } from "#contracts/kit/problem.ts";
import type { Executor } from "../../kit/database/database.ts";
import { accountLimit, addressLimit, knownAddressMilliseconds } from "../domain/login-limit.ts";
import { clientGroup, type TryLimit } from "../domain/try-limit.ts";
import { isKnownAddress, rememberAddress } from "../store/known-addresses.ts";
import type { SecurityTables } from "../store/tables.ts";
import { countTry, forgetTry, tryKey } from "../store/tries.ts";
import { tooManyTries } from "./too-many-tries.ts";

type Db = Executor<SecurityTables>;

const getRefusal = (oldestTry: Date, limit: TryLimit, now: Date): Problem =>
  tooManyTries("Too many tries to sign in.", oldestTry, limit, now);

/** Whether the account's owner signed in from this address before. */
export async function isFromKnownAddress(
  db: Db,
  owner: string,
  address: string | undefined,
  now: Date,
): Promise<boolean> {
  if (address === undefined) return false;
  const since = new Date(now.getTime() - knownAddressMilliseconds);
  return await isKnownAddress(db, tryKey("place", owner, clientGroup(address)), since);
}

export interface SignInNames {
  /** The submitted name, normalized by `usernameKey`. */
  typed: string;
  /** The account's normalized username; undefined when no account has the submitted name or address. */
  account: string | undefined;
}

export interface AdmittedTry {
  /** When false, the response is that of a wrong password, whatever the password. */
  mayCheck: boolean;
  /** The problem for a wrong password. */
  refusal: Problem;
  /** Refunds a try that was never checked. */
  takeBack(): Promise<void>;
  /** After a right password: refunds the try and marks its address as known. */
  succeed(): Promise<void>;
}

/**
 * Counts a try against the client's address and against the account, which need not exist: the response must not reveal
 * it. Guessing by others can use up the tries of an account or an office; an address that the owner signed in from
 * before has separate tries.
 *
 * The submitted name, username or email address, counts on its own and for the account it resolves to. When only the
 * account's tries are used up, the response is that of a wrong password: a limit that one name uses up for another
 * would reveal that both belong to one account.
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
  const addressKey = tryKey("place", owner, group);
  const counted: string[] = [];
  async function count(key: string, limit: TryLimit): Promise<Date | undefined> {
    const oldest = await countTry(db, key, limit, now);
    if (!oldest) counted.push(key);
    return oldest;
  }

  const isFromOwnAddress = () => isFromKnownAddress(db, owner, address, now);

  const oldestOfAddress = await count(tryKey("address", group), addressLimit);
  if (oldestOfAddress && !(await isFromOwnAddress())) throw getRefusal(oldestOfAddress, addressLimit, now);
  const oldestOfName = await count(tryKey("name", names.typed), accountLimit);
  // The same work for a name without an account, under a key that no account has.
  const accountKey = names.account === undefined ? tryKey("account", names.typed, "nobody") : tryKey("account", owner);
  const oldestOfAccount = await count(accountKey, accountLimit);

  let mayCheck = true;
  if (oldestOfAddress || oldestOfName || oldestOfAccount) {
    const isKnown = await isFromOwnAddress();
    const oldestFromAddress = isKnown ? await count(addressKey, accountLimit) : undefined;
    if (oldestFromAddress) throw getRefusal(oldestFromAddress, accountLimit, now);
    if (!isKnown && oldestOfName) throw getRefusal(oldestOfName, accountLimit, now);
    mayCheck = isKnown;
  }
  const takeBack = () => forgetTry(db, counted, now);
  return {
    mayCheck,
    // The response must not reveal for which accounts an exhausted address is known.
    refusal: oldestOfAddress ? getRefusal(oldestOfAddress, addressLimit, now) : new Problem("invalid_credentials"),
    takeBack,
    async succeed() {
      await takeBack();
      if (address !== undefined) await rememberAddress(db, addressKey, now);
    },
  };
}
