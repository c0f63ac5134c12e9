import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

/**
 * Triggers end a token when its owner's access changes, whichever code changes it, and notify every process as for an
 * ended session: access tokens exchanged for it carry its id as their session id.
 */
export async function createApiTokens(db: Kysely<AnyTables>): Promise<void> {
  const tokens = table("api_tokens");
  await sql`
    create table ${tokens} (
      id uuid primary key,
      user_id uuid not null references ${table("users")} on delete cascade,
      organization_id uuid not null references ${table("organizations")} on delete cascade,
      name text not null,
      token_hash text not null unique,
      ending text not null,
      scopes text[] not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      last_used_at timestamptz,
      ended_at timestamptz,
      ended_because text
    )`.execute(db);
  await sql`create index api_tokens_of_user on ${tokens} (user_id, id desc) where ended_at is null`.execute(db);
  await sql`create index api_tokens_expiry on ${tokens} (expires_at)`.execute(db);
  await sql`
    create function ${table("end_tokens_of_member")}() returns trigger language plpgsql as $$
    begin
      update security_service.api_tokens set ended_at = now(), ended_because = 'roles_changed'
      where user_id = old.user_id and organization_id = old.organization_id and ended_at is null;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger end_tokens_of_member after update of roles on ${table("memberships")} for each row
    when (old.roles is distinct from new.roles)
    execute function ${table("end_tokens_of_member")}()`.execute(db);
  await sql`
    create trigger end_tokens_of_deleted_member after delete on ${table("memberships")} for each row
    execute function ${table("end_tokens_of_member")}()`.execute(db);
  await sql`
    create function ${table("end_tokens_of_user")}() returns trigger language plpgsql as $$
    begin
      update security_service.api_tokens set ended_at = now(), ended_because = 'user_disabled'
      where user_id = old.id and ended_at is null;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger end_tokens_of_user after update of disabled_at on ${table("users")} for each row
    when (old.disabled_at is null and new.disabled_at is not null)
    execute function ${table("end_tokens_of_user")}()`.execute(db);
  await sql`
    create trigger tell_ended_token after update of ended_at on ${tokens} for each row
    when (old.ended_at is null and new.ended_at is not null)
    execute function ${table("tell_ended_session")}()`.execute(db);
  await sql`
    create trigger tell_deleted_token after delete on ${tokens} for each row
    when (old.ended_at is null and old.expires_at > now())
    execute function ${table("tell_ended_session")}()`.execute(db);
}
