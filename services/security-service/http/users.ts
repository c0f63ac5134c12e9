import type { Transaction } from "kysely";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Scope } from "../../kit/contract/operation.ts";
import { isUniqueViolation } from "../../kit/database/database.ts";
import { decodeCursor, pageFrom } from "../../kit/database/keyset.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import { notFound, Problem } from "../../kit/problem/problem.ts";
import type { Call, Handlers } from "../../kit/service/service.ts";
import type { securityServiceContract } from "../contract/contract.ts";
import { organizationRoles } from "../contract/invitations.ts";
import type { User } from "../contract/users.ts";
import { emailKey } from "../domain/email.ts";
import { faultOfMemberChange, inOrder, type MemberState } from "../domain/member.ts";
import { scopesOf } from "../domain/roles.ts";
import type { TryLimit } from "../domain/try-limit.ts";
import { endLinks } from "../store/mailed-links.ts";
import {
  findMember,
  hasOtherAdministrator,
  listMembers,
  lockMembers,
  type Member,
  updateMember,
  updateRoles,
} from "../store/members.ts";
import { emailTakenConstraint } from "../store/new-accounts.ts";
import { endSessionsOfUser } from "../store/sessions.ts";
import type { SecurityDatabase, SecurityTables } from "../store/tables.ts";
import { countTry, tryKey } from "../store/tries.ts";
import { tooManyTries } from "./too-many-tries.ts";

type UserHandlers = Pick<
  Handlers<typeof securityServiceContract>,
  "listUsers" | "getUser" | "changeUser" | "listUserRoles" | "addUserRoles" | "removeUserRoles" | "listRoles"
>;

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

function requireMember(member: Member | undefined): Member {
  if (!member) throw notFound("user");
  return member;
}

const stateOf = ({ roles, disabledAt }: Member): MemberState => ({ roles, disabled: disabledAt !== null });

/** Makes the handlers of an organization's users and the roles they hold. */
export function createUserHandlers({ db, clock }: { db: SecurityDatabase; clock: Clock }) {
  /**
   * What the caller may do at this moment: an access token outlives a role by five minutes, long enough to give it back to
   * oneself.
   */
  async function scopesNow(transaction: Transaction<SecurityTables>, caller: Identity): Promise<Scope[]> {
    const member = await findMember(transaction, caller.organizationId, caller.userId);
    return member && !member.disabledAt ? scopesOf(member.roles) : [];
  }

  /** Changes a member after the rules were asked; changes of one organization take turns. */
  async function change<T>(
    caller: Identity,
    userId: string,
    stateAfter: (before: MemberState) => MemberState,
    store: (transaction: Transaction<SecurityTables>, before: Member, after: MemberState) => Promise<T>,
  ): Promise<T> {
    return await db.transaction().execute(async (transaction) => {
      await lockMembers(transaction, caller.organizationId);
      const scopes = await scopesNow(transaction, caller);
      if (!scopes.includes("users:manage")) throw new Problem("forbidden");
      const member = requireMember(await findMember(transaction, caller.organizationId, userId));
      const before = stateOf(member);
      const after = stateAfter(before);
      const fault = faultOfMemberChange({
        before,
        after,
        hasOtherAdministrator: await hasOtherAdministrator(transaction, caller.organizationId, userId),
        isOwnAccount: caller.userId === userId,
        isOperator: scopes.includes("system:manage"),
      });
      if (fault) throw new Problem(fault.code, fault.detail);
      return await store(transaction, member, after);
    });
  }

  async function changeRoles(
    { caller, params, log }: Pick<Call<(typeof securityServiceContract)["addUserRoles"]>, "caller" | "params" | "log">,
    rolesAfter: (held: readonly string[]) => string[],
  ): Promise<{ roles: string[] }> {
    const roles = await change(
      caller,
      params.userId,
      (before) => ({ ...before, roles: inOrder(rolesAfter(before.roles)) }),
      async (transaction, _, after) => {
        await updateRoles(transaction, caller.organizationId, params.userId, [...after.roles]);
        return [...after.roles];
      },
    );
    log.info({ userId: params.userId, roles, changedBy: caller.userId }, "roles changed");
    return { roles };
  }

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
      return shown(requireMember(await findMember(db, caller.organizationId, params.userId)));
    },

    async changeUser({ caller, params, body, log }) {
      const { fullName, email, disabled } = body;
      const key = emailKey(email);
      const now = clock.now();
      const stored = requireMember(await findMember(db, caller.organizationId, params.userId));
      const getsAddress = key !== emailKey(stored.email);
      // Before the transaction, so that a try that finds the address taken counts as well.
      if (getsAddress) await countAddressChange(caller.organizationId, now);
      const changed = await change(
        caller,
        params.userId,
        (before) => ({ ...before, disabled }),
        async (transaction, before) => {
          const disabledAt = disabled ? (before.disabledAt ?? now) : null;
          const member = { ...before, fullName, email, disabledAt };
          await updateMember(transaction, caller.organizationId, params.userId, { ...member, emailKey: key });
          if (disabled) await endSessionsOfUser(transaction, params.userId, "user_disabled", now);
          // A link in the mailbox they had would still open the account.
          if (getsAddress || disabled) await endLinks(transaction, "password_reset", params.userId, now);
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

    async listUserRoles({ caller, params }) {
      return { roles: requireMember(await findMember(db, caller.organizationId, params.userId)).roles };
    },

    addUserRoles: (call) => changeRoles(call, (held) => [...held, ...call.body.roles]),

    removeUserRoles: (call) =>
      changeRoles(call, (held) => held.filter((role) => !call.body.roles.some((taken) => taken === role))),

    async listRoles() {
      return { items: organizationRoles.map((name) => ({ name, scopes: scopesOf([name]) })) };
    },
  };
  return handlers;
}
