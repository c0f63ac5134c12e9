import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { AnyTables, Executor } from "../../kit/database/database.ts";
import type { ApiRegistryTables } from "./tables.ts";
import { schemaName } from "./tables.ts";

type Db = Executor<ApiRegistryTables>;

const stored = z.record(z.string(), z.string());

/** A migration step: JSON text, because jsonb cannot store every text a value may have. */
export async function addVariables(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${sql.id(schemaName, "apis")} add column variables text not null default '{}'`.execute(db);
}

export function readVariables(text: string): Record<string, string> {
  return stored.parse(JSON.parse(text));
}

/** An API's name and variables; concurrent changes wait until the transaction ends. */
export async function lockVariables(
  db: Db,
  { organizationId, apiId }: { organizationId: string; apiId: string },
): Promise<{ name: string; variables: Record<string, string> } | undefined> {
  const row = await db
    .selectFrom("apis")
    .select(["name", "variables"])
    .where("organization_id", "=", organizationId)
    .where("id", "=", apiId)
    .forUpdate()
    .executeTakeFirst();
  return row && { name: row.name, variables: readVariables(row.variables) };
}

export async function storeVariables(
  db: Db,
  { organizationId, apiId }: { organizationId: string; apiId: string },
  variables: Record<string, string>,
): Promise<void> {
  await db
    .updateTable("apis")
    .set({ variables: JSON.stringify(variables) })
    .where("organization_id", "=", organizationId)
    .where("id", "=", apiId)
    .execute();
}
