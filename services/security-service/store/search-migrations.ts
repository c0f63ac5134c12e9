import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { termsOf } from "../../kit/database/word-search.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

/** Finds invitations by the words of their address and by status, and gives each a history. */
export async function rememberInvitations(db: Kysely<AnyTables>): Promise<void> {
  const invitations = table("invitations");
  const events = table("invitation_events");
  const terms = termsOf(sql`new.organization_id`, sql`new.email`, sql`array[new.status]`);
  await sql`
    alter table ${invitations} add column terms tsvector, add column mail_failure text,
    add column mail_given_up boolean not null default false`.execute(db);
  await sql`
    create function ${table("set_invitation_terms")}() returns trigger language plpgsql as $$
    begin
      new.terms := ${terms};
      return new;
    end $$`.execute(db);
  await sql`
    create trigger set_invitation_terms before insert or update on ${invitations} for each row
    execute function ${table("set_invitation_terms")}()`.execute(db);
  await sql`update ${invitations} set terms = null`.execute(db);
  await sql`create index invitations_terms on ${invitations} using gin (terms) with (fastupdate = off)`.execute(db);
  // For the badge's count and for storing expiry.
  await sql`
    create index invitations_open_until on ${invitations} (organization_id, expires_at)
    where status in ('PENDING', 'SENT')`.execute(db);
  await sql`create index invitations_expiry on ${invitations} (expires_at) where status in ('PENDING', 'SENT')`.execute(
    db,
  );
  await sql`
    create table ${events} (
      id uuid primary key,
      organization_id uuid not null,
      invitation_id uuid not null references ${invitations} on delete cascade,
      kind text not null,
      at timestamptz not null,
      by_name text,
      detail text
    )`.execute(db);
  await sql`create index invitation_events_of_one on ${events} (invitation_id, id)`.execute(db);
  // For counting the day's emails before more are sent.
  await sql`
    create index invitation_events_letters on ${events} (organization_id, id desc)
    where kind in ('invited', 'resent')`.execute(db);
  // Ids of invitations are in order of time, too.
  await sql`
    insert into ${events} (id, organization_id, invitation_id, kind, at, by_name)
    select invitations.id, organization_id, invitations.id, 'invited', invitations.created_at, users.full_name
    from ${invitations} invitations left join ${table("users")} users on users.id = invited_by`.execute(db);
}

/** Finds members by the words of their account, by roles and by whether it is disabled. */
export async function findMembersByWords(db: Kysely<AnyTables>): Promise<void> {
  const memberships = table("memberships");
  const terms = termsOf(
    sql`new.organization_id`,
    sql`concat_ws(' ', username, full_name, email)`,
    sql`new.roles || case when disabled_at is null then 'enabled' else 'disabled' end`,
  );
  await sql`alter table ${memberships} add column terms tsvector`.execute(db);
  await sql`
    create function ${table("set_member_terms")}() returns trigger language plpgsql as $$
    begin
      select ${terms} into new.terms from ${table("users")} where id = new.user_id;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger set_member_terms before insert or update on ${memberships} for each row
    execute function ${table("set_member_terms")}()`.execute(db);
  await sql`
    create function ${table("renew_member_terms")}() returns trigger language plpgsql as $$
    begin
      update ${memberships} set terms = null where user_id = new.id;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger renew_member_terms after update of username, full_name, email, disabled_at on ${table("users")}
    for each row when (old.* is distinct from new.*)
    execute function ${table("renew_member_terms")}()`.execute(db);
  await sql`update ${memberships} set terms = null`.execute(db);
  // Without a pending list, which every read would have to scan.
  await sql`create index memberships_terms on ${memberships} using gin (terms) with (fastupdate = off)`.execute(db);
  // For the check for another administrator at every change of a member.
  await sql`
    create index memberships_administrators on ${memberships} (organization_id, user_id)
    where 'ADMIN' = any(roles)`.execute(db);
}
