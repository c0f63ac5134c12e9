import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../database/database.ts";

/** So many rows a transaction: nobody else waits for more. */
const rowsOfStep = 2_000;

/** Tables with rows of organizations, by the database itself: one that was added later can't be forgotten. */
export async function listTablesOfOrganizations(db: Kysely<AnyTables>, schema: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select class.relname as name from pg_class class
    join pg_attribute attribute on attribute.attrelid = class.oid
    where class.relnamespace = to_regnamespace(${schema}) and class.relkind = 'r'
      and attribute.attname = 'organization_id' and not attribute.attisdropped
    order by class.relname`.execute(db);
  const { rows: references } = await sql<{ child: string; parent: string }>`
    select distinct child.relname as child, parent.relname as parent from pg_constraint reference
    join pg_class child on child.oid = reference.conrelid
    join pg_class parent on parent.oid = reference.confrelid
    where reference.contype = 'f' and reference.connamespace = to_regnamespace(${schema})
      and reference.conrelid <> reference.confrelid`.execute(db);
  const left = rows.map(({ name }) => name);
  const ordered: string[] = [];
  while (left.length > 0) {
    const isFree = (name: string) =>
      !references.some(({ child, parent }) => parent === name && left.includes(child) && child !== name);
    // Of tables that refer to each other in a circle any one goes first.
    ordered.push(...left.splice(Math.max(left.findIndex(isFree), 0), 1));
  }
  return ordered;
}

/** What tells others that the organization is gone has to reach them. */
const isNeeded = sql`event like '%"type":"organization.deleted"%'`;

async function deleteStep(db: Kysely<AnyTables>, schema: string, name: string, id: string): Promise<number> {
  const table = sql.id(schema, name);
  const others = name === "event_deliveries" ? sql`and not ${isNeeded}` : sql``;
  return await db.transaction().execute(async (transaction) => {
    if (/^audit_(records|links)$/.test(name))
      await sql`select set_config('audit.retention', 'on', true)`.execute(transaction);
    const { numAffectedRows } = await sql`
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where organization_id = ${id}::uuid ${others} limit ${rowsOfStep}
      ))`.execute(transaction);
    return Number(numAffectedRows);
  });
}

/** Deletes every row of an organization in a schema, step by step, those that refer to others first. */
export async function sweepRows(
  db: Kysely<AnyTables>,
  { schema, id, except, stopping }: { schema: string; id: string; except: readonly string[]; stopping: AbortSignal },
): Promise<void> {
  for (const name of await listTablesOfOrganizations(db, schema)) {
    if (except.includes(name)) continue;
    while (!stopping.aborted && (await deleteStep(db, schema, name, id)) > 0);
  }
}
