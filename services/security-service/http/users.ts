import type { Clock } from "../../kit/clock/clock.ts";
import { isUniqueViolation } from "../../kit/database/database.ts";
import { decodeCursor, pageFrom } from "../../kit/database/keyset.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import { Problem } from "../../kit/problem/problem.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { securityServiceContract } from "../contract/contract.ts";
import type { SecurityEvent } from "../contract/events.ts";
import type { User } from "../contract/users.ts";
import { emailKey } from "../domain/email.ts";
import type { TryLimit } from "../domain/try-limit.ts";
import { endLinks } from "../store/mailed-links.ts";
import { findMember, listMembers, type Member, updateMember } from "../store/members.ts";
import { emailTakenConstraint } from "../store/new-accounts.ts";
import { endSessionsOfUser } from "../store/sessions.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { countTry, tryKey } from "../store/tries.ts";
import { changeMember, requireMember } from "./member-change.ts";
import { tooManyTries } from "./too-many-tries.ts";

type UserHandlers = Pick<Handlers<typeof securityServiceContract>, "listUsers" | "getUser" | "changeUser">;

/** Giving a user an address tells whether an account has it. Nobody may try a list of addresses that way. */
const addressChangeLimit: TryLimit = { tries: 20, windowMilliseconds: 24 * 60 * 60 * 1_000 };

function shown(member: Member): User {
  return {
    id: member.userId,
    username: member.username,
    fullName: member.fullName,
    email: member.email,
    roles: member.roles,
    disabled: member.disabledAt !== null,
    createdAt: member.createdAt.toISOString(),
  };
}

function audited({ username, fullName, email, disabledAt }: Member) {
  return { username, fullName, email, disabled: disabledAt !== null };
}

/** Makes the handlers of an organization's users; those of their roles are in `user-roles.ts`. */
export function createUserHandlers(parts: { db: SecurityDatabase; clock: Clock; publisher: Publisher<SecurityEvent> }) {
  const { db, clock, publisher } = parts;

  async function countAddressChange(organizationId: string, now: Date): Promise<void> {
    const oldest = await countTry(db, tryKey("address-change", organizationId), addressChangeLimit, now);
    if (oldest) throw tooManyTries("Too many addresses were changed today.", oldest, addressChangeLimit, now);
  }

  const handlers: UserHandlers = {
    async listUsers({ caller, query }) {
      const afterKey = query.cursor === undefined ? undefined : String(decodeCursor(query.cursor, 1)[0]);
      const members = await listMembers(db, caller.organizationId, {
        limit: query.limit,
        ...(afterKey === undefined ? {} : { afterKey }),
        ...(query.query ? { query: query.query } : {}),
      });
      return pageFrom(members, query.limit, (member) => [member.usernameKey], shown);
    },

    async getUser({ caller, params }) {
      return shown(await requireMember(findMember(db, caller.organizationId, params.userId)));
    },

    async changeUser({ caller, params, body, log, record }) {
      const { fullName, email, disabled } = body;
      const key = emailKey(email);
      const now = clock.now();
      const stored = await requireMember(findMember(db, caller.organizationId, params.userId));
      const getsAddress = key !== emailKey(stored.email);
      // Before the transaction, so that a try that finds the address taken counts as well.
      if (getsAddress) await countAddressChange(caller.organizationId, now);
      const changed = await changeMember(
        db,
        { caller, userId: params.userId },
        ({ roles }) => ({ roles, disabled }),
        async (transaction, before) => {
          const disabledAt = disabled ? (before.disabledAt ?? now) : null;
          const member = { ...before, fullName, email, disabledAt };
          await updateMember(transaction, caller.organizationId, params.userId, { ...member, emailKey: key });
          if (disabled) await endSessionsOfUser(transaction, params.userId, "user_disabled", now);
          // A link in the mailbox they had would still open the account.
          if (getsAddress || disabled) await endLinks(transaction, "password_reset", params.userId, now);
          await record(transaction, { id: params.userId, before: audited(before), after: audited(member) });
          const { userId } = params;
          const payload = { userId, disabled };
          const { organizationId } = caller;
          await publisher.publish(transaction, [
            { type: "user.changed", organizationId, resource: `user/${userId}`, payload },
          ]);
          return member;
        },
      ).catch((error) => {
        if (!isUniqueViolation(error, emailTakenConstraint)) throw error;
        const message = "Another account has this e-mail address.";
        throw new Problem("conflict", message, { errors: [{ path: "email", message }] });
      });
      log.info({ userId: params.userId, disabled, changedBy: caller.userId }, "user changed");
      return shown(changed);
    },
  };
  return handlers;
}
