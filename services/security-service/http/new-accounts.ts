import type { z } from "@hono/zod-openapi";
import { uuidv7 } from "uuidv7";
import { Problem } from "#contracts/kit/problem.ts";
import type { createdAccount, newAccount } from "#contracts/security-service/account.ts";
import type { SecurityEvent } from "#contracts/security-service/events.ts";
import type { RecordChange } from "../../kit/audit/audit.ts";
import { isUniqueViolation } from "../../kit/database/database.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import { emailKey } from "../domain/email.ts";
import { usernameKey } from "../domain/username.ts";
import type { Passwords } from "../secrets/passwords.ts";
import { type MailedLink, useLink } from "../store/mailed-links.ts";
import { emailTakenConstraint, insertMember, usernameTakenConstraint } from "../store/new-accounts.ts";
import type { SecurityDatabase, SecurityTransaction } from "../store/tables.ts";
import { findAccountByEmail, findAccountByUsername } from "../store/users.ts";
import { linkEnded } from "./mailed-links.ts";

export interface AccountParts {
  db: SecurityDatabase;
  passwords: Passwords;
  publisher: Publisher<SecurityEvent>;
}

interface NewMember {
  link: MailedLink;
  account: z.output<typeof newAccount>;
  now: Date;
  record: RecordChange;
}

export interface Joined {
  organizationId: string;
  roles: string[];
}

function refuse(path: "username" | "password", message: string): Problem {
  return new Problem("invalid_input", undefined, { errors: [{ path, message }] });
}

const usernameTaken = () => refuse("username", "This username is taken. Choose another one.");
/** Disclosed only to the mailbox's owner, who has just proved ownership with a code. */
const emailTaken = () =>
  new Problem(
    "conflict",
    "There is an account with this email address already, and an account belongs to one organization. Log in with it, or have it changed to another address first.",
  );

/** @throws Problem invalid_input at `password` for a password that would be guessed */
export async function requireStrongPassword(password: string, personal: string[]): Promise<void> {
  // Its dictionaries take 20 MB, and most processes see no new password for days.
  const { findWeakness: getWeakness } = await import("../secrets/password-strength.ts");
  const weakness = getWeakness(password, personal);
  if (weakness) throw refuse("password", weakness);
}

/**
 * Creates the account of a link whose code was right, and consumes the link, all or nothing: of any number of requests
 * with one link one creates an account, and a failed one can be corrected and sent again.
 * @param join creates or joins the organization, in the same transaction
 */
export async function createMember(
  { db, passwords, publisher }: AccountParts,
  { link, account, now, record }: NewMember,
  join: (transaction: SecurityTransaction) => Promise<Joined>,
): Promise<Pick<z.input<typeof createdAccount>, "id" | "username"> & Joined> {
  const { username, fullName, password } = account;
  const key = usernameKey(username);
  if (await findAccountByEmail(db, emailKey(link.email))) throw emailTaken();
  await requireStrongPassword(password, [username, fullName, link.email]);
  if (!key || (await findAccountByUsername(db, key))) throw usernameTaken();
  const passwordHash = await passwords.hash(password);
  const userId = uuidv7();
  try {
    return await db.transaction().execute(async (transaction) => {
      if (!(await useLink(transaction, link.id, now))) throw linkEnded();
      const joined = await join(transaction);
      await insertMember(transaction, {
        ...joined,
        userId,
        username,
        usernameKey: key,
        email: link.email,
        fullName,
        passwordHash,
        createdAt: now,
      });
      const { organizationId, roles } = joined;
      const after = { username, fullName, email: link.email, roles };
      await record(transaction, { id: userId, organizationId, actor: { id: userId, name: username }, after });
      await publisher.publish(transaction, [
        { type: "user.created", organizationId, resource: `user/${userId}`, payload: { userId, roles } },
      ]);
      return { id: userId, username, ...joined };
    });
  } catch (error) {
    // Another request created it since the lookup.
    if (isUniqueViolation(error, usernameTakenConstraint)) throw usernameTaken();
    if (isUniqueViolation(error, emailTakenConstraint)) throw emailTaken();
    throw error;
  }
}
