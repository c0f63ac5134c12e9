import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

export async function createSingleSignOn(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("single_sign_ons")} (
      organization_id uuid primary key references ${table("organizations")} on delete cascade,
      issuer text not null,
      client_id text not null,
      sealed_client_secret text not null,
      roles_claim text not null,
      roles jsonb not null,
      usual_role text check (usual_role in ('ADMIN', 'EDITOR', 'VIEWER')),
      creates_accounts boolean not null,
      is_required boolean not null,
      updated_at timestamptz not null
    )`.execute(db);
  // An address leads to one provider, so a domain belongs to one organization here, although several may have proved
  // it.
  await sql`
    create table ${table("single_sign_on_domains")} (
      name text constraint single_sign_on_domains_name primary key,
      domain_id uuid not null references ${table("domains")} on delete cascade,
      organization_id uuid not null references ${table("single_sign_ons")} on delete cascade
    )`.execute(db);
  await sql`
    create index single_sign_on_domains_organization on ${table("single_sign_on_domains")} (organization_id)`.execute(
    db,
  );
  await sql`
    create index single_sign_on_domains_domain on ${table("single_sign_on_domains")} (domain_id)`.execute(db);
  // A user's subject at the provider is permanent, unlike their address.
  await sql`
    create table ${table("provider_subjects")} (
      organization_id uuid not null references ${table("organizations")} on delete cascade,
      issuer text not null,
      subject text not null,
      user_id uuid not null references ${table("users")} on delete cascade,
      primary key (organization_id, issuer, subject)
    )`.execute(db);
  await sql`
    create unique index provider_subjects_of_user on ${table("provider_subjects")} (user_id, issuer)`.execute(db);
  // The provider asked for more than a password, so the session satisfies the organization's required second factor.
  await sql`
    alter table ${table("sessions")} add column factor_at_provider boolean not null default false`.execute(db);
}
