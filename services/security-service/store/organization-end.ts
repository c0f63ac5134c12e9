import { sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import type { SecurityTables } from "./tables.ts";

type Db = Executor<SecurityTables>;

/** The organization that stores installation-wide audit records: the oldest that operates the installation. */
export async function findOperatingOrganization(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom("memberships")
    .select("organization_id")
    // Matches the index.
    .where(sql<boolean>`'SYSTEM_ADMIN' = any(roles)`)
    .orderBy("created_at")
    .limit(1)
    .executeTakeFirst();
  return row?.organization_id;
}

/**
 * Deletes the organization and its users: an account belongs to one organization. Rows that reference either are
 * deleted with it, sessions first, so that all users are signed out at once.
 */
export async function deleteOrganization(transaction: Db, organizationId: string): Promise<void> {
  const members = transaction.selectFrom("memberships").select("user_id").where("organization_id", "=", organizationId);
  const invitations = transaction.selectFrom("invitations").select("id").where("organization_id", "=", organizationId);
  await transaction
    .deleteFrom("mailed_links")
    .where((link) => link.or([link("subject_id", "in", members), link("subject_id", "in", invitations)]))
    .execute();
  await transaction.deleteFrom("sessions").where("organization_id", "=", organizationId).execute();
  await transaction.deleteFrom("users").where("id", "in", members).execute();
  await transaction.deleteFrom("organizations").where("id", "=", organizationId).execute();
}
