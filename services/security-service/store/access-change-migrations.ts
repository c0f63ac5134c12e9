import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

/**
 * Triggers publish every ended session and changed role in its own transaction, whichever code causes it: a cascade, or
 * an older version that runs at the same time.
 */
export async function addAccessChangeTables(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("access_changes")} (
      changed_in xid8 not null default pg_current_xact_id(),
      changed_at timestamptz not null default now(),
      session_id uuid,
      user_id uuid,
      organization_id uuid
    )`.execute(db);
  await sql`create index access_changes_in_order on ${table("access_changes")} (changed_in)`.execute(db);
  await sql`
    create function ${table("tell_ended_session")}() returns trigger language plpgsql as $$
    begin
      insert into security_service.access_changes (session_id) values (old.id);
      perform pg_notify('access_changes', '');
      return null;
    end $$`.execute(db);
  await sql`
    create function ${table("tell_changed_roles")}() returns trigger language plpgsql as $$
    begin
      insert into security_service.access_changes (user_id, organization_id) values (old.user_id, old.organization_id);
      perform pg_notify('access_changes', '');
      return null;
    end $$`.execute(db);
  await sql`
    create trigger tell_ended_session after update of ended_at on ${table("sessions")} for each row
    when (old.ended_at is null and new.ended_at is not null)
    execute function ${table("tell_ended_session")}()`.execute(db);
  await sql`
    create trigger tell_deleted_session after delete on ${table("sessions")} for each row
    when (old.ended_at is null and old.expires_at > now())
    execute function ${table("tell_ended_session")}()`.execute(db);
  await sql`
    create trigger tell_changed_roles after update of roles on ${table("memberships")} for each row
    when (old.roles is distinct from new.roles)
    execute function ${table("tell_changed_roles")}()`.execute(db);
  await sql`
    create trigger tell_deleted_member after delete on ${table("memberships")} for each row
    execute function ${table("tell_changed_roles")}()`.execute(db);
}
