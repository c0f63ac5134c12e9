import type { Executor } from "../../kit/database/database.ts";
import type { SecurityTables } from "./tables.ts";

type Db = Executor<SecurityTables>;

export async function findOrganization(db: Db, organizationId: string) {
  return await db.selectFrom("organizations").selectAll().where("id", "=", organizationId).executeTakeFirst();
}

/**
 * Makes whoever else wants to change the organization's members or invitations wait until this transaction ends. Signing
 * in goes on: the lock leaves references to the row alone. @returns the organization's name
 */
export async function lockOrganization(transaction: Db, organizationId: string): Promise<string | undefined> {
  const row = await transaction
    .selectFrom("organizations")
    .select("name")
    .where("id", "=", organizationId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.name;
}
