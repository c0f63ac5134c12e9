import { type Kysely, type RawBuilder, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { termsOf } from "../../kit/database/word-search.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

interface Computed {
  table: string;
  trigger: string;
  terms: RawBuilder<unknown>;
  /** Additional assignments of the trigger. */
  more?: RawBuilder<unknown>;
}

/** Rows written by an older version without these columns are found, too. */
async function computeTerms(db: Kysely<AnyTables>, { table: name, trigger, terms, more = sql`` }: Computed) {
  await sql`
    create or replace function ${table(trigger)}() returns trigger language plpgsql as $$
    begin
      new.terms := ${terms};
      ${more}
      return new;
    end $$`.execute(db);
  await sql`
    create trigger ${sql.id(trigger)} before insert or update on ${table(name)} for each row
    execute function ${table(trigger)}()`.execute(db);
  await sql`update ${table(name)} set terms = null`.execute(db);
  await sql`
    create index ${sql.id(`${name}_terms`)} on ${table(name)} using gin (terms) with (fastupdate = off)`.execute(db);
}

/** Lists domains by status and finds them by the words of their name and description. */
export async function findDomainsByWords(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("domains")} add column terms tsvector`.execute(db);
  await computeTerms(db, {
    table: "domains",
    trigger: "set_domain_terms",
    terms: termsOf(sql`new.organization_id`, sql`concat_ws(' ', new.name, new.description)`, sql`array[new.state]`),
  });
  await sql`create index domains_by_state on ${table("domains")} (organization_id, state, name)`.execute(db);
}

/**
 * Finds credentials by the words of their name and domain. The sort key is a column: with row-level security, no index
 * is used for functions that are not leakproof, such as `lower`.
 */
export async function findCredentialsByWords(db: Kysely<AnyTables>): Promise<void> {
  const credentials = table("credentials");
  await sql`alter table ${credentials} add column terms tsvector, add column sort_name text`.execute(db);
  await computeTerms(db, {
    table: "credentials",
    trigger: "set_credential_terms",
    terms: termsOf(sql`new.organization_id`, sql`concat_ws(' ', new.name, new.domain)`, sql`array[]::text[]`),
    more: sql`new.sort_name := lower(new.name);`,
  });
  await sql`alter table ${credentials} alter column sort_name set not null`.execute(db);
  await sql`create index credentials_sorted on ${credentials} (organization_id, sort_name)`.execute(db);
  await sql`create index credentials_of_domain on ${credentials} (organization_id, domain, sort_name)`.execute(db);
  // The previous index, which sorted by a function.
  await sql`drop index ${table("credentials_domain")}`.execute(db);
}
