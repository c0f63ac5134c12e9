import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

/**
 * Sort keys of names in a separate column, because row-level security allows an index scan on a column but not on an
 * expression. In code point order, which is the same on every system. Set by a trigger, for rows written by a version
 * running in parallel.
 */
export async function addNameKeys(db: Kysely<AnyTables>): Promise<void> {
  const setKey = sql.id(schemaName, "set_name_key");
  await sql`create function ${setKey}() returns trigger language plpgsql as $$
    begin
      new.name_key := lower(new.name);
      return new;
    end
  $$`.execute(db);
  for (const name of ["tests", "test_circles"]) {
    const table = sql.id(schemaName, name);
    await sql`alter table ${table} add column name_key text collate "C" not null default ''`.execute(db);
    await sql`update ${table} set name_key = lower(name)`.execute(db);
    await sql`create trigger set_name_key before insert or update on ${table}
      for each row execute function ${setKey}()`.execute(db);
  }
  const indexes: Record<string, [string, string]> = {
    tests_name: ["tests", "organization_id, api_id, name_key, id"],
    tests_all_names: ["tests", "organization_id, name_key, id"],
    test_circles_name: ["test_circles", "organization_id, name_key, id"],
  };
  for (const [name, [table, columns]] of Object.entries(indexes)) {
    await sql`drop index ${sql.id(schemaName, name)}`.execute(db);
    await sql`create index ${sql.id(name)} on ${sql.id(schemaName, table)} (${sql.raw(columns)})`.execute(db);
  }
}
