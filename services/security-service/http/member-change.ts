import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import { findMemberChangeProblem, type MemberState } from "../domain/member.ts";
import { getScopes } from "../domain/roles.ts";
import { findMember, hasOtherAdministrator, type Member } from "../store/members.ts";
import { lockOrganization } from "../store/organizations.ts";
import type { SecurityDatabase, SecurityTransaction } from "../store/tables.ts";
import { requirePresentAdministrator } from "./present-administrator.ts";

export async function requireMember(member: Promise<Member | undefined>): Promise<Member> {
  const found = await member;
  if (!found) throw notFound("user");
  return found;
}

/**
 * Changes a member of the caller's organization if the rules allow it; changes of one organization run one at a time.
 * @param stateAfter the member's state after the change
 * @param store writes the change, in the same transaction
 * @throws Problem not_found, forbidden or conflict
 */
export async function changeMember<T>(
  db: SecurityDatabase,
  { caller, userId }: { caller: Identity; userId: string },
  stateAfter: (before: Member) => MemberState,
  store: (transaction: SecurityTransaction, before: Member, after: MemberState) => Promise<T>,
): Promise<T> {
  const { organizationId } = caller;
  return await db.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const requesting = await requirePresentAdministrator(transaction, caller);
    const member = await requireMember(findMember(transaction, organizationId, userId));
    const after = stateAfter(member);
    const error = findMemberChangeProblem({
      before: { roles: member.roles, disabled: member.disabledAt !== null },
      after,
      hasOtherAdministrator: await hasOtherAdministrator(transaction, organizationId, userId),
      isOwnAccount: caller.userId === userId,
      isOperator: getScopes(requesting?.roles ?? []).includes("system:manage"),
    });
    if (error) throw new Problem(error.code, error.detail);
    return await store(transaction, member, after);
  });
}
