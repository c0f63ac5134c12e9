import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { SecurityEvent } from "#contracts/security-service/events.ts";
import type { OwnAccount } from "#contracts/security-service/own-account.ts";
import { isTimeZone, unknownTimeZoneMessage } from "#libraries/time-zone/wall-clock.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import type { Mail } from "../../kit/mail/mail.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { createOwnPasswordChangedEmail } from "../emails/own-account.ts";
import type { Passwords } from "../secrets/passwords.ts";
import { endLinks, findLiveLink } from "../store/mailed-links.ts";
import { setOwnDetails } from "../store/own-account.ts";
import { endChallengesOfUser } from "../store/second-factors.ts";
import { endOtherSessionsOfUser } from "../store/sessions.ts";
import { refusesPassword } from "../store/single-sign-on.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { type Account, setPasswordHash } from "../store/users.ts";
import { requireStrongPassword } from "./new-accounts.ts";
import { findConfirmedUntil } from "./own-identity.ts";
import { requireOwnAccount, requireOwnPassword } from "./own-password.ts";

export interface OwnAccountParts {
  db: SecurityDatabase;
  clock: Clock;
  publisher: Publisher<SecurityEvent>;
  mail: Mail;
  passwords: Passwords;
  portalOrigin(): string;
}

type OwnAccountHandlers = Pick<
  Handlers<typeof securityServiceContract>,
  "getOwnAccount" | "changeOwnAccount" | "changeOwnPassword"
>;

/** An account as its owner sees it. */
export async function toAccount(
  db: SecurityDatabase,
  caller: Identity,
  account: Account,
  now: Date,
): Promise<OwnAccount> {
  const { userId, username, fullName, email, timeZone, passwordHash } = account;
  const link = await findLiveLink(db, "email_change", userId, now);
  const newEmail = link ? { email: link.email, expiresAt: link.expiresAt.toISOString() } : null;
  const confirmedUntil = (await findConfirmedUntil(db, caller, account, now))?.toISOString() ?? null;
  const takesPassword = !(await refusesPassword(db, userId));
  const hasPassword = passwordHash !== "";
  return { id: userId, username, fullName, email, timeZone, hasPassword, takesPassword, confirmedUntil, newEmail };
}

function requireTimeZone(name: string | null): void {
  if (name === null || isTimeZone(name)) return;
  const errors = [{ path: "timeZone", message: unknownTimeZoneMessage }];
  throw new Problem("invalid_input", undefined, { errors });
}

/**
 * Creates the handlers of a user's own name, time zone and password; those of the email address are in `own-email.ts`.
 */
export function createOwnAccountHandlers(parts: OwnAccountParts) {
  const { db, clock, publisher, mail, passwords, portalOrigin } = parts;

  const handlers: OwnAccountHandlers = {
    async getOwnAccount({ caller }) {
      return await toAccount(db, caller, await requireOwnAccount(db, caller), clock.now());
    },

    async changeOwnAccount({ caller, body, record }) {
      const account = await requireOwnAccount(db, caller);
      const { userId } = account;
      const { organizationId } = caller;
      const before = { fullName: account.fullName, timeZone: account.timeZone };
      const after = { ...before, ...body };
      requireTimeZone(after.timeZone);
      await db.transaction().execute(async (transaction) => {
        if (!(await setOwnDetails(transaction, userId, body))) throw notFound("account");
        await record(transaction, { id: userId, before, after });
        const payload = { userId, disabled: false };
        await publisher.publish(transaction, [
          { type: "user.changed", organizationId, resource: `user/${userId}`, payload },
        ]);
      });
      return await toAccount(db, caller, { ...account, ...after }, clock.now());
    },

    async changeOwnPassword({ caller, body, log, record }) {
      const now = clock.now();
      const account = await requireOwnAccount(db, caller);
      const { userId, username, fullName, email } = account;
      await requireOwnPassword({ db, passwords }, account, body.currentPassword, now);
      await requireStrongPassword(body.password, [username, fullName, email]);
      const passwordHash = await passwords.hash(body.password);
      await db.transaction().execute(async (transaction) => {
        if (!(await setPasswordHash(transaction, userId, passwordHash))) throw notFound("account");
        await endOtherSessionsOfUser(transaction, userId, caller.sessionId, "password_changed", now);
        await endChallengesOfUser(transaction, userId);
        await endLinks(transaction, "password_reset", userId, now);
        await record(transaction, { id: userId });
        // Without outgoing mail there is no notification, and passwords can still be changed.
        if (email && mail.canSend) {
          await mail.send(transaction, caller.organizationId, [
            createOwnPasswordChangedEmail(email, username, portalOrigin()),
          ]);
        }
      });
      log.info({ userId }, "password changed by its owner; other sessions ended");
      return undefined;
    },
  };
  return handlers;
}
