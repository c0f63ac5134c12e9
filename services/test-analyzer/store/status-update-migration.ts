import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { table } from "./tables.ts";

const ofPage = sql`
  organization_id uuid not null,
  page_circle_id uuid not null,
  foreign key (organization_id, page_circle_id) references ${table("status_pages")} on delete cascade`;

export async function createUpdates(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("status_page_incidents")} (
      ${ofPage},
      incident_id uuid not null,
      title text not null,
      circle_ids uuid[] not null,
      primary key (organization_id, page_circle_id, incident_id)
    )`.execute(db);
  await sql`
    create table ${table("status_page_updates")} (
      id uuid primary key,
      ${ofPage},
      at timestamptz not null,
      kind text not null,
      title text not null,
      text text not null
    )`.execute(db);
  await sql`create index status_page_updates_newest
    on ${table("status_page_updates")} (organization_id, page_circle_id, id desc)`.execute(db);
  await sql`
    create table ${table("status_subscribers")} (
      id uuid primary key,
      ${ofPage},
      address_key text not null,
      address text not null,
      token_hash text not null unique,
      sealed_token text not null,
      link_expires_at timestamptz not null,
      mailed_at timestamptz not null,
      confirmed_at timestamptz,
      created_at timestamptz not null,
      constraint status_subscribers_address unique (organization_id, page_circle_id, address_key)
    )`.execute(db);
  await sql`create index status_subscribers_unconfirmed on ${table("status_subscribers")} (link_expires_at)
    where confirmed_at is null`.execute(db);
}
