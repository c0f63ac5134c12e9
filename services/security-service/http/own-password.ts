import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import { accountLimit } from "../domain/login-limit.ts";
import type { Passwords } from "../secrets/passwords.ts";
import { refusesPassword } from "../store/single-sign-on.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { countTry, forgetTry, tryKey } from "../store/tries.ts";
import { type Account, findAccount } from "../store/users.ts";
import { tooManyTries } from "./too-many-tries.ts";

const takesNone = "Your account takes no password: your organization requires single sign-on.";
const hasNone = "Your account has no password. Choose one first by email, with “Forgot your password?”.";
export const wrongPassword = (message: string) =>
  new Problem("invalid_input", undefined, { errors: [{ path: "currentPassword", message }] });

/** Accounts belong to people: a service, which may make any call, has none, and an API token must not change one. */
export async function requireOwnAccount(db: SecurityDatabase, caller: Identity): Promise<Account> {
  const account = caller.kind === "user" ? await findAccount(db, caller.userId) : undefined;
  if (!account || account.disabled) throw notFound("account");
  return account;
}

/**
 * Reauthenticates a signed-in user by password.
 * @throws Problem invalid_input at `currentPassword`, or too_many_requests
 */
export async function requireOwnPassword(
  { db, passwords }: { db: SecurityDatabase; passwords: Passwords },
  account: Account,
  password: string,
  now: Date,
): Promise<void> {
  if (account.passwordHash === "")
    throw wrongPassword((await refusesPassword(db, account.userId)) ? takesNone : hasNone);
  const key = tryKey("own-password", account.userId);
  const oldest = await countTry(db, key, accountLimit, now);
  if (oldest) throw tooManyTries("Too many tries with a wrong password.", oldest, accountLimit, now);
  if (!(await passwords.matches(account.passwordHash, password))) throw wrongPassword("This is not your password.");
  await forgetTry(db, [key], now);
}
