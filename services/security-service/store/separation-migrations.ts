import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { isCurrentOrganization, isOfParent, keepApart } from "../../kit/database/row-security.ts";
import { schemaName } from "./tables.ts";

/**
 * Triggers on an account act for every organization it is a member of, and processes are notified of ended sessions,
 * which belong to no organization.
 */
const followsAccounts = [
  ...["end_tokens_of_user", "renew_member_terms", "tell_ended_session", "tell_changed_roles", "tell_changed_factor"],
  ...["tell_changed_requirement", "tell_added_passkey"],
];

/** An account and its dependent rows are visible to the organizations it is a member of. */
export async function keepAccountsApart(db: Kysely<AnyTables>): Promise<void> {
  await keepApart(db, schemaName, "organizations", isCurrentOrganization("id"));
  const isMember = isOfParent(schemaName, { child: "users", parent: "memberships" }, { id: "user_id" });
  await keepApart(db, schemaName, "users", isMember);
  for (const name of followsAccounts) {
    await sql`alter function ${sql.id(schemaName, name)}() security definer`.execute(db);
  }
  // An organization that can no longer prove a domain must not block its owner, who sees none of its other rows.
  await sql`
    create function ${sql.id(schemaName, "free_unproven_domains")}(names text[]) returns void
    language sql security definer as $$
      delete from security_service.single_sign_on_domains claimed using security_service.domains
      where domains.id = claimed.domain_id and domains.state <> 'verified' and claimed.name = any(names)
    $$`.execute(db);
}
