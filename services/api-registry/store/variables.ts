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

/**
 * Changes an API's variables; concurrent changes wait.
 * @returns the previous and the new variables; undefined if the API does not exist
 */
export async function changeVariables(
  db: Db,
  { organizationId, apiId }: { organizationId: string; apiId: string },
  change: (before: Record<string, string>) => Record<string, string>,
) {
  const row = await db
    .selectFrom("apis")
    .select(["name", "variables"])
    .where("organization_id", "=", organizationId)
    .where("id", "=", apiId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return undefined;
  const before = readVariables(row.variables);
  const after = change(before);
  await db
    .updateTable("apis")
    .set({ variables: JSON.stringify(after) })
    .where("organization_id", "=", organizationId)
    .where("id", "=", apiId)
    .execute();
  return { name: row.name, before, after };
}
