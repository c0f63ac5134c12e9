import { Problem } from "#contracts/kit/problem.ts";
import type { Executor } from "../../kit/database/database.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import { getScopes } from "../domain/roles.ts";
import { findMember, type Member } from "../store/members.ts";
import type { SecurityTables } from "../store/tables.ts";

/**
 * Required for irreversible actions and those that open another user's account: the caller must be a signed-in person.
 * API tokens sit in scripts for months, and no service has a reason to call.
 * @throws Problem forbidden
 */
export function requireInPerson(caller: Identity): void {
  if (caller.kind !== "user") throw new Problem("forbidden", "This requires a signed-in user; API tokens can't do it.");
}

/**
 * The administrator who changes an organization's users, with current roles: an access token outlives a role by five
 * minutes, long enough to restore one's own role. Undefined for a service.
 * @throws Problem forbidden
 */
export async function requirePresentAdministrator(
  transaction: Executor<SecurityTables>,
  caller: Identity,
): Promise<Member | undefined> {
  if (caller.kind === "service") return undefined;
  const member = await findMember(transaction, caller.organizationId, caller.userId);
  const mayManage = member && !member.disabledAt && getScopes(member.roles).includes("users:manage");
  if (!mayManage) throw new Problem("forbidden");
  return member;
}
