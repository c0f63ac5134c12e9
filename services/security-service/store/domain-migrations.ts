import { randomBytes } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { uuidv7 } from "uuidv7";
import type { AnyTables } from "../../kit/database/database.ts";
import { usualMethod } from "../domain/domain-proof.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);
const rowsOfStep = 500;

/** Gives domains their own records, including those that credentials already name. */
export async function createDomains(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("domains")} (
      id uuid primary key,
      organization_id uuid not null references ${table("organizations")} on delete cascade,
      name text not null,
      description text not null,
      method text not null check (method in ('dnsTxt', 'wellKnown')),
      token text not null,
      state text not null check (state in ('unverified', 'verified')),
      proven_at timestamptz,
      checked_at timestamptz,
      missed_checks integer not null default 0,
      failure text,
      next_check_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  // Two organizations may have the same name, each with its own proof.
  await sql`create unique index domains_name on ${table("domains")} (organization_id, name)`.execute(db);
  // For the daily check: verified domains only.
  await sql`
    create index domains_next_check on ${table("domains")} (next_check_at) where next_check_at is not null`.execute(db);

  let after = { organization_id: "00000000-0000-0000-0000-000000000000", domain: "" };
  for (;;) {
    const { rows } = await sql<typeof after>`
      select distinct organization_id, domain from ${table("credentials")}
      where (organization_id, domain) > (${after.organization_id}::uuid, ${after.domain})
      order by organization_id, domain limit ${rowsOfStep}`.execute(db);
    for (const { organization_id, domain } of rows) {
      await sql`
        insert into ${table("domains")}
          (id, organization_id, name, description, method, token, state, created_at, updated_at)
        values (${uuidv7()}, ${organization_id}, ${domain}, '', ${usualMethod(domain)},
          ${randomBytes(24).toString("base64url")}, 'unverified', now(), now())`.execute(db);
    }
    const last = rows.at(-1);
    if (!last || rows.length < rowsOfStep) return;
    after = last;
  }
}

/** Credentials for the security schemes of a domain. Deleted with the domain and with the credential. */
export async function createAuthorizationConfigs(db: Kysely<AnyTables>): Promise<void> {
  const configs = table("authorization_configs");
  await sql`
    create table ${configs} (
      id uuid primary key,
      organization_id uuid not null references ${table("organizations")} on delete cascade,
      domain_id uuid not null references ${table("domains")} on delete cascade,
      scheme_name text not null,
      credential_id uuid not null references ${table("credentials")} on delete cascade,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  await sql`create unique index authorization_configs_scheme on ${configs} (domain_id, scheme_name)`.execute(db);
  await sql`create index authorization_configs_organization on ${configs} (organization_id)`.execute(db);
  await sql`create index authorization_configs_credential on ${configs} (credential_id)`.execute(db);
}

/** Whether requests with side effects are sent to a domain. */
export async function addUnsafeMethods(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    alter table ${table("domains")} add column unsafe_methods text not null default 'allowed'
    check (unsafe_methods in ('allowed', 'confirmed', 'refused'))`.execute(db);
}
