import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

/**
 * Files of requests, once for each organization, and the hashes that a test names, read from the text of its definition
 * as credentials are. A generated column, so that tests written by a version running in parallel have them too.
 */
export async function createFiles(db: Kysely<AnyTables>): Promise<void> {
  const files = sql.id(schemaName, "test_files");
  await sql`
    create table ${files} (
      organization_id uuid not null,
      sha256 text not null,
      bytes bytea not null,
      size integer not null,
      used_at timestamptz not null,
      primary key (organization_id, sha256)
    )`.execute(db);
  // Images and archives are compressed already.
  await sql`alter table ${files} alter column bytes set storage external`.execute(db);
  await sql`create index test_files_unused on ${files} (used_at)`.execute(db);
  const named = sql.id(schemaName, "named_files");
  await sql`
    create function ${named}(definition json) returns text[] language sql immutable as $$
      select array(
        select distinct found[1] collate "C"
        from regexp_matches(definition::text, ${sql.lit('"sha256":"([0-9a-f]{64})"')}, 'g') as found
      )
    $$`.execute(db);
  const tests = sql.id(schemaName, "tests");
  await sql`
    alter table ${tests}
      add column named_files text[] generated always as (${named}(definition)) stored`.execute(db);
  await sql`create index tests_with_files on ${tests} (organization_id) where named_files <> '{}'`.execute(db);
}
