import { sql } from "kysely";
import type { JsonRecord } from "#libraries/json/json-value.ts";
import type { CodeTable, CodeTransaction } from "./code-kind.ts";

/** Rows as they are, by table. */
export type Images = Record<string, JsonRecord[]>;

/** `row_to_json`, whose `json` columns keep every character. */
async function readRows(transaction: CodeTransaction, schema: string, table: string, column: string, ids: string[]) {
  const { rows } = await sql<{ row: string }>`
    select row_to_json(object)::text as row from ${sql.id(schema, table)} object
    where ${sql.id(column)} = any(${ids}::uuid[])`.execute(transaction);
  return rows.map(({ row }) => row);
}

/** Locks the rows of objects against changes until the transaction ends. */
export async function lockRows(
  transaction: CodeTransaction,
  schema: string,
  { table, idColumn }: CodeTable,
  { organizationId, ids }: { organizationId: string; ids: readonly string[] },
): Promise<void> {
  await sql`select from ${sql.id(schema, table)} where organization_id = ${organizationId}::uuid
    and ${sql.id(idColumn)} = any(${ids}::uuid[]) order by ${sql.id(idColumn)} for update`.execute(transaction);
}

/** The rows of objects, with those of their side tables, as JSON texts. */
export async function readImages(
  transaction: CodeTransaction,
  schema: string,
  { table, idColumn, sideTables = [] }: CodeTable,
  ids: string[],
): Promise<Record<string, string[]>> {
  const images: Record<string, string[]> = { [table]: await readRows(transaction, schema, table, idColumn, ids) };
  for (const side of sideTables) images[side.table] = await readRows(transaction, schema, side.table, side.column, ids);
  return images;
}

async function listColumns(transaction: CodeTransaction, schema: string, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute where attrelid = to_regclass(${`${schema}.${table}`})
      and attnum > 0 and not attisdropped and attgenerated = ''`.execute(transaction);
  return rows.map(({ name }) => name);
}

/** Writes rows back as they were. Versions are counted up, since what was read meanwhile is outdated. */
export async function restoreImages(
  transaction: CodeTransaction,
  schema: string,
  { table, idColumn, sideTables = [], unrestored = [] }: CodeTable,
  images: Record<string, string[]>,
): Promise<string[]> {
  const rows = images[table] ?? [];
  if (rows.length === 0) return [];
  const columns = await listColumns(transaction, schema, table);
  const kept = new Set([idColumn, "organization_id", "version", ...unrestored]);
  const restored = columns.filter((name) => !kept.has(name));
  const set = restored.map((name) => sql`${sql.id(name)} = image.${sql.id(name)}`);
  if (columns.includes("version")) set.push(sql`version = object.version + 1`);
  const given = (texts: string[], name: string) =>
    sql`json_populate_recordset(null::${sql.id(schema, name)}, ${`[${texts.join(",")}]`}::json)`;
  const { rows: found } = await sql<{ id: string }>`
    update ${sql.id(schema, table)} object set ${sql.join(set)} from ${given(rows, table)} image
    where object.${sql.id(idColumn)} = image.${sql.id(idColumn)} and object.organization_id = image.organization_id
    returning object.${sql.id(idColumn)} as id`.execute(transaction);
  const ids = found.map(({ id }) => id);
  for (const side of sideTables) {
    await sql`delete from ${sql.id(schema, side.table)} where ${sql.id(side.column)} = any(${ids}::uuid[])`.execute(
      transaction,
    );
    const names = (await listColumns(transaction, schema, side.table)).map((name) => sql.id(name));
    await sql`insert into ${sql.id(schema, side.table)} (${sql.join(names)})
      select ${sql.join(names)} from ${given(images[side.table] ?? [], side.table)} image
      where image.${sql.id(side.column)} = any(${ids}::uuid[])`.execute(transaction);
  }
  return ids;
}
