import { sql } from "kysely";
import type { Database } from "../database/database.ts";

const deadlock = "40P01";
const copySchema = "remembered_rows";

/**
 * Copies the rows of a schema's tables, for tests that share a database and each begin with the same rows.
 * @returns a function that restores them
 */
export async function rememberRows({ kysely }: Pick<Database, "kysely">, schema: string): Promise<() => Promise<void>> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = ${schema}`.execute(kysely);
  await sql`create schema if not exists ${sql.id(copySchema)}`.execute(kysely);
  const statements: string[] = [];
  for (const { name } of rows) {
    const [table, copy] = [`"${schema}"."${name}"`, `"${copySchema}"."${schema}_${name}"`];
    await sql`create table ${sql.raw(copy)} as table ${sql.raw(table)}`.execute(kysely);
    const { rows: filled } = await sql`select from ${sql.raw(copy)} limit 1`.execute(kysely);
    statements.push(`delete from ${table};`);
    if (filled.length > 0) statements.push(`insert into ${table} overriding system value table ${copy};`);
  }
  // Disables foreign keys, so that order is irrelevant, and triggers, so that append-only tables can be emptied.
  await sql`
    create function ${sql.id(copySchema, `put_back_${schema}`)}() returns void language plpgsql
      set session_replication_role = replica as ${sql.lit(`begin ${statements.join(" ")} end`)}`.execute(kysely);

  return async () => {
    for (;;) {
      try {
        await sql`select ${sql.id(copySchema, `put_back_${schema}`)}()`.execute(kysely);
        return;
      } catch (error) {
        // A job of the previous test may cause a deadlock.
        if ((error as { code?: string }).code !== deadlock) throw error;
      }
    }
  };
}
