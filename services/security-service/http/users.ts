import { Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { SecurityEvent } from "#contracts/security-service/events.ts";
import type { User } from "#contracts/security-service/users.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { isUniqueViolation } from "../../kit/database/database.ts";
import { decodeCursor, pageFrom } from "../../kit/database/keyset.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import type { Mail, OutgoingEmail } from "../../kit/mail/mail.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { emailKey } from "../domain/email.ts";
import type { TryLimit } from "../domain/try-limit.ts";
import { createAddressGivenEmail, createAddressTakenEmail } from "../emails/address-given.ts";
import { endLinks } from "../store/mailed-links.ts";
import { findMember, listMembers, type Member, updateMember } from "../store/members.ts";
import { emailTakenConstraint } from "../store/new-accounts.ts";
import { endSessionsOfUser } from "../store/sessions.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { countTry, tryKey } from "../store/tries.ts";
import { admitEmail } from "./email-limits.ts";
import { changeMember, requireMember } from "./member-change.ts";
import type { MemberQuota } from "./member-quota.ts";
import { requireInPerson } from "./present-administrator.ts";
import { pageOfSessions } from "./sessions.ts";
import { tooManyTries } from "./too-many-tries.ts";

type UserHandlers = Pick<
  Handlers<typeof securityServiceContract>,
  "listUsers" | "getUser" | "changeUser" | "listUserSessions" | "endUserSessions"
>;

/** Giving a user an address reveals whether an account has it, so trying a list of addresses is limited. */
const addressChangeLimit: TryLimit = { tries: 20, windowMilliseconds: 24 * 60 * 60 * 1_000 };

function toUser(member: Member): User {
  return {
    id: member.userId,
    username: member.username,
    fullName: member.fullName,
    email: member.email,
    timeZone: member.timeZone,
    roles: member.roles,
    disabled: member.disabledAt !== null,
    secondFactor: member.hasSecondFactor,
    createdAt: member.createdAt.toISOString(),
  };
}

function audited({ username, fullName, email, disabledAt }: Member) {
  return { username, fullName, email, disabled: disabledAt !== null };
}

/** Creates the handlers of an organization's users; those of their roles are in `user-roles.ts`. */
export function createUserHandlers(parts: {
  db: SecurityDatabase;
  clock: Clock;
  publisher: Publisher<SecurityEvent>;
  quota: MemberQuota;
  mail: Mail;
}) {
  const { db, clock, publisher, quota, mail } = parts;

  /**
   * Control of an account's address is control of its password: changing it takes a person, and never applies to their
   * own account.
   */
  async function admitAddressChange(caller: Identity, userId: string, now: Date): Promise<void> {
    requireInPerson(caller);
    const { organizationId } = caller;
    if (caller.userId === userId) {
      const message = "You change your own email address on your profile.";
      throw new Problem("conflict", message, { errors: [{ path: "email", message }] });
    }
    const oldest = await countTry(db, tryKey("address-change", organizationId), addressChangeLimit, now);
    if (oldest) throw tooManyTries("Too many addresses were changed today.", oldest, addressChangeLimit, now);
  }

  /** Both mailboxes are notified, each with a text for its owner. */
  async function getEmails({ email: old, username }: Member, email: string, now: Date): Promise<OutgoingEmail[]> {
    if (!mail.canSend) return [];
    const given = { ...createAddressGivenEmail(email), isForNobody: !(await admitEmail(db, email, now)) };
    return old ? [createAddressTakenEmail(old, username), given] : [given];
  }

  const handlers: UserHandlers = {
    async listUsers({ caller, query }) {
      const { cursor, limit, query: words, role, state } = query;
      const afterKey = cursor === undefined ? undefined : String(decodeCursor(cursor, 1)[0]);
      const members = await listMembers(db, caller.organizationId, { limit, afterKey, query: words, role, state });
      return pageFrom(members, query.limit, (member) => [member.usernameKey], toUser);
    },

    async getUser({ caller, params }) {
      return toUser(await requireMember(findMember(db, caller.organizationId, params.userId)));
    },

    async changeUser({ caller, params, body, requestId, log, record }) {
      const { userId } = params;
      const { organizationId } = caller;
      const now = clock.now();
      const stored = await requireMember(findMember(db, organizationId, userId));
      const key = emailKey(body.email ?? stored.email);
      const comesBack = stored.disabledAt !== null && body.disabled === false;
      if (comesBack) await quota.prepare(organizationId, requestId);
      const getsAddress = key !== emailKey(stored.email);
      // Before the transaction, so that a try with a taken address counts as well.
      if (getsAddress) await admitAddressChange(caller, userId, now);
      const emails = getsAddress ? await getEmails(stored, body.email ?? stored.email, now) : [];
      const changed = await changeMember(
        db,
        { caller, userId },
        (before) => ({ roles: before.roles, disabled: body.disabled ?? before.disabledAt !== null }),
        async (transaction, before, { disabled }) => {
          const { fullName = before.fullName, email = before.email } = body;
          if (before.disabledAt && !disabled) await quota.require(transaction, { organizationId, wanted: 1, now });
          const disabledAt = disabled ? (before.disabledAt ?? now) : null;
          const member = { ...before, fullName, email, disabledAt };
          await updateMember(transaction, organizationId, userId, { ...member, emailKey: emailKey(email) });
          if (disabled) await endSessionsOfUser(transaction, userId, "user_disabled", now);
          // A link in the previous mailbox would still open the account.
          if (getsAddress || disabled) {
            await endLinks(transaction, "password_reset", userId, now);
            await endLinks(transaction, "email_change", userId, now);
          }
          await record(transaction, { id: userId, before: audited(before), after: audited(member) });
          if (emails.length > 0) await mail.send(transaction, organizationId, emails);
          await publisher.publish(transaction, [
            { type: "user.changed", organizationId, resource: `user/${userId}`, payload: { userId, disabled } },
          ]);
          return member;
        },
      ).catch((error) => {
        if (!isUniqueViolation(error, emailTakenConstraint)) throw error;
        const message = "Another account has this email address.";
        throw new Problem("conflict", message, { errors: [{ path: "email", message }] });
      });
      log.info({ userId, disabled: changed.disabledAt !== null, changedBy: caller.userId }, "user changed");
      return toUser(changed);
    },

    async listUserSessions({ caller, params, query }) {
      const { userId } = await requireMember(findMember(db, caller.organizationId, params.userId));
      return await pageOfSessions(db, { userId, organizationId: caller.organizationId }, caller, query, clock.now());
    },

    async endUserSessions({ caller, params, log, record }) {
      const { userId } = params;
      const asItIs = ({ roles, disabledAt }: Member) => ({ roles, disabled: disabledAt !== null });
      await changeMember(db, { caller, userId }, asItIs, async (transaction) => {
        await endSessionsOfUser(transaction, userId, "ended_by_administrator", clock.now());
        await record(transaction, { id: userId, after: { signedOut: true } });
      });
      log.info({ userId, changedBy: caller.userId }, "user signed out everywhere");
      return undefined;
    },
  };
  return handlers;
}
