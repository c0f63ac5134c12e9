import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

/** Triggers publish changes of effective roles, as those of `requireSecondFactors` do for the app. */
export async function createPasskeys(db: Kysely<AnyTables>): Promise<void> {
  const users = table("users");
  const passkeys = table("passkeys");
  await sql`
    create table ${passkeys} (
      id uuid primary key,
      user_id uuid not null references ${users} on delete cascade,
      credential_id text not null unique,
      public_key text not null,
      sign_count bigint not null,
      transports text[] not null,
      name text not null,
      created_at timestamptz not null,
      last_used_at timestamptz
    )`.execute(db);
  await sql`create index passkeys_of_user on ${passkeys} (user_id, id)`.execute(db);
  await sql`
    create table ${table("passkey_challenges")} (
      hash text primary key,
      user_id uuid not null references ${users} on delete cascade,
      sign_in_hash text references ${table("sign_in_challenges")} on delete cascade,
      expires_at timestamptz not null
    )`.execute(db);
  const challenges = table("passkey_challenges");
  await sql`create index passkey_challenges_expiry on ${challenges} (expires_at)`.execute(db);
  await sql`create index passkey_challenges_user on ${challenges} (user_id)`.execute(db);
  await sql`create index passkey_challenges_sign_in on ${challenges} (sign_in_hash)`.execute(db);
  await sql`
    create function ${table("tell_added_passkey")}() returns trigger language plpgsql as $$
    begin
      insert into security_service.access_changes (user_id, organization_id)
        select user_id, organization_id from security_service.memberships where user_id = new.user_id;
      perform pg_notify('access_changes', '');
      return null;
    end $$`.execute(db);
  await sql`
    create trigger tell_added_passkey after insert on ${passkeys} for each row
    execute function ${table("tell_added_passkey")}()`.execute(db);
  await sql`
    create trigger tell_removed_passkey after delete on ${passkeys} for each row
    execute function ${table("tell_changed_factor")}()`.execute(db);
}
