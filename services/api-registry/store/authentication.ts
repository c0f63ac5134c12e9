import type { Executor } from "../../kit/database/database.ts";
import type { ApiRegistryTables } from "./tables.ts";

/** @returns what was stored before; undefined if the API does not exist */
export async function changeSendsHostCredentials(
  db: Executor<ApiRegistryTables>,
  { organizationId, apiId }: { organizationId: string; apiId: string },
  sends: boolean,
): Promise<{ name: string; before: boolean | null } | undefined> {
  const row = await db
    .selectFrom("apis")
    .select(["name", "sends_host_credentials"])
    .where("organization_id", "=", organizationId)
    .where("id", "=", apiId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return undefined;
  await db
    .updateTable("apis")
    .set({ sends_host_credentials: sends })
    .where("organization_id", "=", organizationId)
    .where("id", "=", apiId)
    .execute();
  return { name: row.name, before: row.sends_host_credentials };
}
