import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Authenticate } from "../../kit/identity/identity.ts";
import type { Mail } from "../../kit/mail/mail.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { emailKey } from "../domain/email.ts";
import { createPasswordChangedEmail } from "../emails/password-changed.ts";
import { createPasswordResetEmail } from "../emails/password-reset.ts";
import type { AdmitForm } from "../human-check/admit-form.ts";
import { endLinks, insertLinks, useLink } from "../store/mailed-links.ts";
import { endChallengesOfUser } from "../store/second-factors.ts";
import { endSessionsOfUser } from "../store/sessions.ts";
import { refusesPassword } from "../store/single-sign-on.ts";
import { findAccount, findAccountByEmail, findMembership, setPasswordHash } from "../store/users.ts";
import { readClient } from "./client.ts";
import { admitEmail } from "./email-limits.ts";
import { createLink, linkEnded, requireLink } from "./mailed-links.ts";
import { type AccountParts, requireStrongPassword } from "./new-accounts.ts";

export interface PasswordResetParts extends AccountParts {
  clock: Clock;
  mail: Mail;
  authenticate: Authenticate;
  admitForm: AdmitForm;
  portalOrigin(): string;
}

const noUserId = "00000000-0000-0000-0000-000000000000";

type PasswordResetHandlers = Pick<
  Handlers<typeof securityServiceContract>,
  "requestPasswordReset" | "completePasswordReset"
>;

/** Creates the handlers of resetting a password by email. */
export function createPasswordResetHandlers(parts: PasswordResetParts) {
  const { db, clock, mail, passwords, authenticate, admitForm, portalOrigin } = parts;

  /**
   * Runs the same statements whether or not an account has this address: without one it stores a link that leads
   * nowhere and sends an email that the mail worker discards. No email goes to addresses that were never given to us,
   * and the response time reveals nothing.
   */
  async function mailLink(email: string, now: Date): Promise<void> {
    const found = await findAccountByEmail(db, emailKey(email));
    const isRefused = await refusesPassword(db, found?.userId ?? noUserId);
    const account = found?.disabled || isRefused ? undefined : found;
    const { token, link } = createLink("password_reset", { subjectId: account?.userId ?? null, email, now });
    const href = `${portalOrigin()}/password-reset/complete?token=${token}`;
    const message = createPasswordResetEmail(account?.email ?? email, account?.username ?? "", href);
    await db.transaction().execute(async (transaction) => {
      await insertLinks(transaction, [link]);
      await mail.send(transaction, null, [{ ...message, isDecoy: !account }]);
    });
  }

  const handlers: PasswordResetHandlers = {
    async requestPasswordReset({ body, request, log }) {
      const { email, recaptchaToken } = body;
      await admitForm({ purpose: "passwordReset", client: await readClient(request, authenticate), recaptchaToken });
      const now = clock.now();
      if (await admitEmail(db, email, now)) await mailLink(email, now);
      else log.info("an address was sent no more letters");
      return { email };
    },

    async completePasswordReset({ body, log, record }) {
      const now = clock.now();
      const link = await requireLink(db, "password_reset", body.token, now);
      const account = link.subjectId ? await findAccount(db, link.subjectId) : undefined;
      // An address that the account had before does not prove ownership of the account.
      if (!account || account.disabled || emailKey(account.email) !== emailKey(link.email)) throw linkEnded();
      if (await refusesPassword(db, account.userId)) throw linkEnded();
      const { userId, username, fullName, email } = account;
      await requireStrongPassword(body.password, [username, fullName, email]);
      const passwordHash = await passwords.hash(body.password);
      await db.transaction().execute(async (transaction) => {
        // Locks the account first: otherwise two of its links used at once would each wait for the other's to be ended.
        if (!(await setPasswordHash(transaction, userId, passwordHash))) throw linkEnded();
        if (!(await useLink(transaction, link.id, now))) throw linkEnded();
        await endSessionsOfUser(transaction, userId, "password_reset", now);
        await endChallengesOfUser(transaction, userId);
        await endLinks(transaction, "password_reset", userId, now);
        // An attacker with access to the account may have requested another address.
        await endLinks(transaction, "email_change", userId, now);
        const membership = await findMembership(transaction, userId);
        if (!membership) throw linkEnded();
        const { organizationId } = membership;
        await record(transaction, { id: userId, organizationId, actor: { id: userId, name: username } });
        await mail.send(transaction, organizationId, [
          createPasswordChangedEmail(link.email, username, portalOrigin()),
        ]);
      });
      log.info({ userId }, "password chosen by a mailed link; sessions ended");
      return undefined;
    },
  };
  return handlers;
}
