import { Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import { isUniqueViolation } from "../../kit/database/database.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { emailKey } from "../domain/email.ts";
import type { TryLimit } from "../domain/try-limit.ts";
import {
  createAddressChangedEmail,
  createAddressInUseEmail,
  createConfirmAddressEmail,
} from "../emails/own-account.ts";
import { endLinks, insertLinks, useLink } from "../store/mailed-links.ts";
import { emailTakenConstraint } from "../store/new-accounts.ts";
import { setOwnEmail } from "../store/own-account.ts";
import { countTry, tryKey } from "../store/tries.ts";
import { findAccount, findAccountByEmail, findMembership } from "../store/users.ts";
import { admitEmail } from "./email-limits.ts";
import { createLink, linkEnded, requireLink } from "./mailed-links.ts";
import { type OwnAccountParts, toAccount } from "./own-account.ts";
import { requireOwner } from "./own-identity.ts";
import { requireOwnAccount } from "./own-password.ts";
import { findNewAddressProblem } from "./required-sign-on.ts";
import { tooManyTries } from "./too-many-tries.ts";

type OwnEmailHandlers = Pick<
  Handlers<typeof securityServiceContract>,
  "changeOwnEmail" | "cancelOwnEmail" | "confirmEmail"
>;

/** Each request sends an email to an arbitrary address. */
const askedLimit: TryLimit = { tries: 5, windowMilliseconds: 24 * 60 * 60 * 1_000 };

/** Creates the handlers of a user's own email address, which changes only once the new mailbox has confirmed it. */
export function createOwnEmailHandlers(parts: OwnAccountParts) {
  const { db, clock, publisher, mail, passwords, portalOrigin } = parts;

  const handlers: OwnEmailHandlers = {
    async changeOwnEmail({ caller, body, log, record }) {
      const now = clock.now();
      const { email } = body;
      const account = await requireOwnAccount(db, caller);
      const { userId } = account;
      if (emailKey(email) === emailKey(account.email)) {
        const message = "This is the address your account has.";
        throw new Problem("invalid_input", undefined, { errors: [{ path: "email", message }] });
      }
      const error = await findNewAddressProblem(db, { userId, organizationId: caller.organizationId }, email);
      if (error) throw new Problem("invalid_input", undefined, { errors: [{ path: "email", message: error }] });
      await requireOwner({ db, passwords }, { caller, account, password: body.currentPassword }, now);
      const oldest = await countTry(db, tryKey("own-email", userId), askedLimit, now);
      if (oldest) throw tooManyTries("Too many addresses were asked for today.", oldest, askedLimit, now);
      const isInUse = (await findAccountByEmail(db, emailKey(email))) !== undefined;
      const mayMail = await admitEmail(db, email, now);
      if (!mayMail) log.info("an address was sent no more letters");
      const { token, link } = createLink("email_change", { subjectId: userId, email, now });
      const href = `${portalOrigin()}/confirm-email?token=${token}`;
      await db.transaction().execute(async (transaction) => {
        await endLinks(transaction, "email_change", userId, now);
        await insertLinks(transaction, [link]);
        await record(transaction, { id: userId, before: { email: account.email }, after: { newEmail: email } });
        const message = isInUse ? createAddressInUseEmail(email) : createConfirmAddressEmail(email, href);
        await mail.send(transaction, caller.organizationId, [{ ...message, isDecoy: !mayMail }]);
      });
      return await toAccount(db, caller, account, now);
    },

    async cancelOwnEmail({ caller, record }) {
      const { userId } = await requireOwnAccount(db, caller);
      await db.transaction().execute(async (transaction) => {
        await endLinks(transaction, "email_change", userId, clock.now());
        await record(transaction, { id: userId, after: { newEmail: null } });
      });
      return undefined;
    },

    async confirmEmail({ body, log, record }) {
      const now = clock.now();
      const link = await requireLink(db, "email_change", body.token, now);
      const { email } = link;
      const account = link.subjectId ? await findAccount(db, link.subjectId) : undefined;
      if (!account || account.disabled) throw linkEnded();
      const { userId, username, email: before } = account;
      await db
        .transaction()
        .execute(async (transaction) => {
          const membership = await findMembership(transaction, userId);
          if (!membership) throw linkEnded();
          const { organizationId } = membership;
          const error = await findNewAddressProblem(transaction, { userId, organizationId }, email);
          if (error) throw new Problem("conflict", error);
          // Locks the account first, in the same order as a password reset.
          if (!(await setOwnEmail(transaction, userId, { email, emailKey: emailKey(email) }))) throw linkEnded();
          if (!(await useLink(transaction, link.id, now))) throw linkEnded();
          // A link in the previous mailbox would still open the account.
          await endLinks(transaction, "password_reset", userId, now);
          const actor = { id: userId, name: username };
          await record(transaction, {
            ...{ id: userId, organizationId, actor },
            ...{ before: { email: before }, after: { email } },
          });
          const payload = { userId, disabled: false };
          await publisher.publish(transaction, [
            { type: "user.changed", organizationId, resource: `user/${userId}`, payload },
          ]);
          if (before && mail.canSend)
            await mail.send(transaction, organizationId, [createAddressChangedEmail(before, username)]);
        })
        .catch((error) => {
          if (!isUniqueViolation(error, emailTakenConstraint)) throw error;
          throw new Problem("conflict", "Another account has this email address.");
        });
      log.info({ userId }, "email address confirmed");
      return undefined;
    },
  };
  return handlers;
}
