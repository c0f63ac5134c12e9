import { Problem } from "#contracts/kit/problem.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import { confirmedUntil } from "../domain/provider-confirmation.ts";
import type { Passwords } from "../secrets/passwords.ts";
import { findSignedOnAt } from "../store/sessions.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import type { Account } from "../store/users.ts";
import { requireOwnPassword, wrongPassword } from "./own-password.ts";

const confirmFirst = "Confirm your identity: sign in with your organization's provider again, then come back to this.";

/** Until when the caller's own sign-in at their provider replaces a password; undefined when it does not. */
export async function findConfirmedUntil(
  db: SecurityDatabase,
  { sessionId }: Identity,
  { passwordHash }: Account,
  now: Date,
): Promise<Date | undefined> {
  if (passwordHash !== "" || sessionId === undefined) return undefined;
  return confirmedUntil(await findSignedOnAt(db, sessionId), now);
}

/**
 * Reauthenticates a signed-in user: by password or, for accounts without one, by a recent sign-in at their
 * organization's provider.
 * @throws Problem invalid_input at `currentPassword`, too_many_requests, or forbidden
 */
export async function requireOwner(
  parts: { db: SecurityDatabase; passwords: Passwords },
  { caller, account, password }: { caller: Identity; account: Account; password: string | undefined },
  now: Date,
): Promise<void> {
  if (account.passwordHash !== "") {
    if (password === undefined) throw wrongPassword("Enter your password");
    return await requireOwnPassword(parts, account, password, now);
  }
  if (!(await findConfirmedUntil(parts.db, caller, account, now))) throw new Problem("forbidden", confirmFirst);
}
