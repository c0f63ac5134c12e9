import { randomBytes } from "node:crypto";
import { uuidv7 } from "uuidv7";
import { Problem } from "#contracts/kit/problem.ts";
import type { SecurityEvent } from "#contracts/security-service/events.ts";
import type { RecordChange } from "../../kit/audit/audit.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import { emailKey } from "../domain/email.ts";
import { findMemberChangeProblem, inOrder } from "../domain/member.ts";
import { type ProvenPerson, rolesFor } from "../domain/single-sign-on.ts";
import { usernameKey } from "../domain/username.ts";
import { insertEvents } from "../store/invitation-events.ts";
import { acceptInvitationTo } from "../store/invitations.ts";
import { findMember, hasOtherAdministrator, type Member, updateRoles } from "../store/members.ts";
import { insertMember } from "../store/new-accounts.ts";
import { lockOrganization } from "../store/organizations.ts";
import { findSubject, insertSubject, type SingleSignOnRow } from "../store/single-sign-on.ts";
import type { SecurityDatabase, SecurityTransaction } from "../store/tables.ts";
import { findAccountByEmail, findAccountByUsername } from "../store/users.ts";
import type { MemberQuota } from "./member-quota.ts";

interface Entering {
  row: SingleSignOnRow;
  person: ProvenPerson;
  now: Date;
  requestId: string;
  record: RecordChange;
}

export type EnterByProvider = ReturnType<typeof createEnterByProvider>;

const refuse = (detail: string) => new Problem("forbidden", detail);

export const noRole =
  "Your organization's provider assigns you no role here. Ask an administrator of your organization.";

const notMember = (email: string) =>
  `${email} belongs to an account in another organization, and an account is in one only.`;

/** The organization's rules in the form that the domain functions take. */
export const roleRules = (row: SingleSignOnRow) => ({
  ...{ rolesClaim: row.roles_claim, roles: row.roles, usualRole: row.usual_role },
});

/** Usernames are unique in the whole installation. */
async function freeUsername(transaction: SecurityTransaction, wanted: string): Promise<string> {
  const holder = await findAccountByUsername(transaction, usernameKey(wanted) ?? wanted);
  return holder ? `${wanted}-${randomBytes(4).toString("hex")}` : wanted;
}

/**
 * The account of a user authenticated by the organization's provider: the one linked to its subject, the member with
 * their address, or a new one if the plan's quota allows it. Roles follow the provider's claim.
 */
export function createEnterByProvider(parts: {
  db: SecurityDatabase;
  publisher: Publisher<SecurityEvent>;
  quota: MemberQuota;
}) {
  const { db, publisher, quota } = parts;

  async function findKnown(transaction: SecurityTransaction, { row, person }: Entering): Promise<Member | undefined> {
    const { organization_id: organizationId, issuer } = row;
    const { subject, email } = person;
    const known = await findSubject(transaction, { organizationId, issuer, subject });
    if (known) {
      const member = await findMember(transaction, organizationId, known.user_id);
      if (!member) throw refuse(notMember(email));
      return member;
    }
    const account = await findAccountByEmail(transaction, emailKey(email));
    if (!account) return undefined;
    const member = await findMember(transaction, organizationId, account.userId);
    if (!member) throw refuse(notMember(email));
    // The address belonged to another subject at the provider before: their account does not pass to its new owner.
    if (await findSubject(transaction, { organizationId, issuer, userId: account.userId }))
      throw refuse(`The account with the address ${email} belongs to another person at your provider.`);
    await insertSubject(transaction, {
      ...{ organization_id: organizationId, issuer, subject, user_id: account.userId },
    });
    return member;
  }

  /** Accepts the open invitations of a new user, so that they do not count twice. */
  async function acceptInvitation(transaction: SecurityTransaction, { row, person, now }: Entering): Promise<void> {
    const { organization_id: organizationId } = row;
    for (const invitationId of await acceptInvitationTo(transaction, organizationId, emailKey(person.email), now)) {
      await insertEvents(transaction, [
        { organizationId, invitationId, kind: "accepted", at: now, by: person.fullName },
      ]);
    }
  }

  async function create(transaction: SecurityTransaction, entering: Entering): Promise<string> {
    const { row, person, now, record } = entering;
    const { organization_id: organizationId, issuer } = row;
    if (!row.creates_accounts)
      throw refuse(`There is no account for ${person.email} here. Ask an administrator to invite you.`);
    const roles = rolesFor(person, roleRules(row), undefined);
    if (roles.length === 0) throw refuse(noRole);
    await acceptInvitation(transaction, entering);
    await quota.require(transaction, { organizationId, wanted: 1, now });
    const username = await freeUsername(transaction, person.username);
    const { email, fullName, subject } = person;
    const userId = uuidv7();
    await insertMember(transaction, {
      ...{ userId, username, usernameKey: usernameKey(username)!, email, fullName, passwordHash: "" },
      ...{ organizationId, roles, createdAt: now },
    });
    await insertSubject(transaction, { organization_id: organizationId, issuer, subject, user_id: userId });
    const after = { username, fullName, email, roles };
    await record(transaction, { id: userId, organizationId, actor: { id: userId, name: username }, after });
    await publisher.publish(transaction, [
      { type: "user.created", organizationId, resource: `user/${userId}`, payload: { userId, roles } },
    ]);
    return userId;
  }

  /** The last administrator keeps the role, whatever the provider says. */
  async function follow(transaction: SecurityTransaction, { row, person, record }: Entering, member: Member) {
    const { organization_id: organizationId } = row;
    const { userId, username, roles: held } = member;
    const given = rolesFor(person, roleRules(row), held);
    if (given.length === 0) throw refuse(noRole);
    const next = inOrder(given);
    const error = findMemberChangeProblem({
      before: { roles: held, disabled: false },
      after: { roles: next, disabled: false },
      hasOtherAdministrator: await hasOtherAdministrator(transaction, organizationId, userId),
      isOwnAccount: false,
      isOperator: false,
    });
    if (error || next.join() === inOrder(held).join()) return await record(transaction);
    await updateRoles(transaction, organizationId, userId, next);
    const change = { before: { roles: held }, after: { roles: next } };
    await record(transaction, { id: userId, organizationId, actor: { id: userId, name: username }, ...change });
    await publisher.publish(transaction, [
      { type: "user.roles-changed", organizationId, resource: `user/${userId}`, payload: { userId, roles: next } },
    ]);
  }

  /** @returns the id of the account */
  return async (entering: Entering): Promise<string> => {
    const { organization_id: organizationId } = entering.row;
    await quota.prepare(organizationId, entering.requestId);
    return await db.transaction().execute(async (transaction) => {
      await lockOrganization(transaction, organizationId);
      const known = await findKnown(transaction, entering);
      if (!known) return await create(transaction, entering);
      if (known.disabledAt) throw refuse("Your account is disabled. Ask an administrator of your organization.");
      // An organization's provider must not open accounts that operate the installation.
      if (known.roles.includes("SYSTEM_ADMIN"))
        throw refuse("Operators of the installation sign in by password. Use yours.");
      await follow(transaction, entering, known);
      return known.userId;
    });
  };
}
