import { Problem } from "#contracts/kit/problem.ts";
import type { Executor } from "../../kit/database/database.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import { scopesOf } from "../domain/roles.ts";
import { findMember, type Member } from "../store/members.ts";
import type { SecurityTables } from "../store/tables.ts";

/**
 * For what opens somebody's account, or has no way back: it takes a person who is signed in. An API token lies in
 * scripts for months, and no service has a reason to ask.
 * @throws Problem forbidden
 */
export function requireInPerson(caller: Identity): void {
  if (caller.kind !== "user")
    throw new Problem("forbidden", "Somebody has to sign in for this; an API token can't do it.");
}

/**
 * Who changes an organization's people, as they are at this moment: an access token outlives a role by five minutes, long
 * enough to give the role back to oneself. Undefined for a service.
 * @throws Problem forbidden
 */
export async function requirePresentAdministrator(
  transaction: Executor<SecurityTables>,
  caller: Identity,
): Promise<Member | undefined> {
  if (caller.kind === "service") return undefined;
  const member = await findMember(transaction, caller.organizationId, caller.userId);
  const mayManage = member && !member.disabledAt && scopesOf(member.roles).includes("users:manage");
  if (!mayManage) throw new Problem("forbidden");
  return member;
}
