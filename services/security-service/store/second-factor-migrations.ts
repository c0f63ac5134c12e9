import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

export async function createSecondFactors(db: Kysely<AnyTables>): Promise<void> {
  const users = table("users");
  await sql`
    create table ${table("second_factors")} (
      user_id uuid primary key references ${users} on delete cascade,
      sealed_secret text not null,
      created_at timestamptz not null,
      confirmed_at timestamptz,
      last_step bigint
    )`.execute(db);
  await sql`
    create table ${table("recovery_codes")} (
      user_id uuid not null references ${users} on delete cascade,
      hash text not null,
      primary key (user_id, hash)
    )`.execute(db);
  await sql`
    create table ${table("sign_in_challenges")} (
      hash text primary key,
      user_id uuid not null references ${users} on delete cascade,
      user_agent text not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index sign_in_challenges_expiry on ${table("sign_in_challenges")} (expires_at)`.execute(db);
  await sql`create index sign_in_challenges_user on ${table("sign_in_challenges")} (user_id)`.execute(db);
}
