import type { Executor } from "../../kit/database/database.ts";
import type { SecurityTables } from "./tables.ts";

export async function findOrganization(db: Executor<SecurityTables>, organizationId: string) {
  return await db.selectFrom("organizations").selectAll().where("id", "=", organizationId).executeTakeFirst();
}
