import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../database/database.ts";

/** Rows per transaction, which bounds how long others wait for their locks. */
const rowsPerStep = 2_000;

/**
 * Lists tables with rows of organizations from the catalog, so that a new table can't be forgotten. The ends of audit chains
 * come last: a concurrent record would start a new chain at positions whose links still exist.
 */
export async function listOrganizationTables(db: Kysely<AnyTables>, schema: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select class.relname as name from pg_class class
    join pg_attribute attribute on attribute.attrelid = class.oid
    where class.relnamespace = to_regnamespace(${schema}) and class.relkind = 'r'
      and attribute.attname = 'organization_id' and not attribute.attisdropped
    order by class.relname = 'audit_chains', class.relname`.execute(db);
  const { rows: references } = await sql<{ child: string; parent: string }>`
    select distinct child.relname as child, parent.relname as parent from pg_constraint reference
    join pg_class child on child.oid = reference.conrelid
    join pg_class parent on parent.oid = reference.confrelid
    where reference.contype = 'f' and reference.connamespace = to_regnamespace(${schema})
      and reference.conrelid <> reference.confrelid`.execute(db);
  const remaining = rows.map(({ name }) => name);
  const ordered: string[] = [];
  while (remaining.length > 0) {
    const isFree = (name: string) =>
      !references.some(({ child, parent }) => parent === name && remaining.includes(child) && child !== name);
    // Tables that reference each other in a cycle are deleted in any order.
    ordered.push(...remaining.splice(Math.max(remaining.findIndex(isFree), 0), 1));
  }
  return ordered;
}

/** Events about the deletion itself must still be delivered. */
const isNeeded = sql`event like '%"type":"organization.deleted"%'`;

async function deleteStep(db: Kysely<AnyTables>, schema: string, name: string, id: string): Promise<number> {
  const table = sql.id(schema, name);
  const others = name === "event_deliveries" ? sql`and not ${isNeeded}` : sql``;
  return await db.transaction().execute(async (transaction) => {
    if (/^audit_(records|links)$/.test(name))
      await sql`select set_config('audit.retention', 'on', true)`.execute(transaction);
    const { numAffectedRows } = await sql`
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where organization_id = ${id}::uuid ${others} limit ${rowsPerStep}
      ))`.execute(transaction);
    return Number(numAffectedRows);
  });
}

/** Deletes every row of an organization in a schema, step by step, referencing rows first. */
export async function sweepRows(
  db: Kysely<AnyTables>,
  { schema, id, except, stopping }: { schema: string; id: string; except: readonly string[]; stopping: AbortSignal },
): Promise<void> {
  for (const name of await listOrganizationTables(db, schema)) {
    if (except.includes(name)) continue;
    while (!stopping.aborted && (await deleteStep(db, schema, name, id)) > 0);
  }
}
