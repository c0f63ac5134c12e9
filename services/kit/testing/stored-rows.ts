import { sql } from "kysely";
import type { Database } from "../database/database.ts";

/** Every row as text, by table: for tests that rows are unchanged, or that a value is stored nowhere. */
export async function storedRows(
  { kysely }: Pick<Database, "kysely">,
  schema?: string,
): Promise<Record<string, string[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')
      and (${schema ?? null}::text is null or schemaname = ${schema ?? null})
    order by 1`.execute(kysely);
  const stored: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ text: string }>`
      select to_jsonb(one)::text as text from ${sql.raw(name)} as one order by 1`.execute(kysely);
    stored[name] = rows.map(({ text }) => text);
  }
  return stored;
}
