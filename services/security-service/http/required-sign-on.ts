import type { Executor } from "../../kit/database/database.ts";
import { toDomain } from "../domain/single-sign-on.ts";
import { listSignOnDomains, refusesPassword } from "../store/single-sign-on.ts";
import type { SecurityTables } from "../store/tables.ts";

const list = new Intl.ListFormat("en", { type: "disjunction" });

/**
 * Why a user may not take an address: with one at another domain, required single sign-on would no longer apply to
 * them.
 */
export async function findNewAddressProblem(
  db: Executor<SecurityTables>,
  { userId, organizationId }: { userId: string; organizationId: string },
  email: string,
): Promise<string | undefined> {
  if (!(await refusesPassword(db, userId))) return undefined;
  const domains = await listSignOnDomains(db, organizationId);
  if (domains.includes(toDomain(email))) return undefined;
  return `Your organization requires single sign-on. Your address stays one at ${list.format(domains)}.`;
}
