import type { Executor } from "../../kit/database/database.ts";
import { domainOf } from "../domain/single-sign-on.ts";
import { listSignOnDomains, refusesPassword } from "../store/single-sign-on.ts";
import type { SecurityTables } from "../store/tables.ts";

const list = new Intl.ListFormat("en", { type: "disjunction" });

/** Why somebody may not have an address: with one at another domain, the single sign-on that is required of them would no longer be. */
export async function faultOfNewAddress(
  db: Executor<SecurityTables>,
  { userId, organizationId }: { userId: string; organizationId: string },
  email: string,
): Promise<string | undefined> {
  if (!(await refusesPassword(db, userId))) return undefined;
  const domains = await listSignOnDomains(db, organizationId);
  if (domains.includes(domainOf(email))) return undefined;
  return `Your organization requires single sign-on. Your address stays one at ${list.format(domains)}.`;
}
