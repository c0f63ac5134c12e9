import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

export async function createMailedLinks(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("registrations")} (
      id uuid primary key,
      organization_name text,
      service_id text,
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index registrations_expiry on ${table("registrations")} (expires_at)`.execute(db);
  await sql`
    create table ${table("mailed_links")} (
      id uuid primary key,
      token_hash text not null unique,
      purpose text not null check (purpose in ('registration', 'invitation', 'password_reset')),
      subject_id uuid,
      email text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz,
      tries integer not null default 0,
      code_hash text,
      code_expires_at timestamptz,
      code_tries integer not null default 0,
      codes_sent_at timestamptz[] not null default '{}'
    )`.execute(db);
  await sql`create index mailed_links_subject on ${table("mailed_links")} (subject_id)`.execute(db);
  await sql`create index mailed_links_expiry on ${table("mailed_links")} (expires_at)`.execute(db);
}

export async function createInvitations(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("invitations")} (
      id uuid primary key,
      organization_id uuid not null references ${table("organizations")} on delete cascade,
      email text not null,
      email_key text not null,
      roles text[] not null,
      invited_by uuid references ${table("users")} on delete set null,
      status text not null check (status in ('PENDING', 'SENT', 'ACCEPTED', 'CANCELLED', 'EXPIRED')),
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index invitations_newest on ${table("invitations")} (organization_id, id desc)`.execute(db);
  // One open invitation per address; also used by the badge that counts open ones.
  await sql`
    create unique index invitations_open on ${table("invitations")} (organization_id, email_key)
    where status in ('PENDING', 'SENT')`.execute(db);
  // For deleting users, which looks up their invitations.
  await sql`create index invitations_inviter on ${table("invitations")} (invited_by)`.execute(db);
}

export async function createSpentHumanChecks(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("spent_human_checks")} (signature text primary key, expires_at timestamptz not null)`.execute(
    db,
  );
}
