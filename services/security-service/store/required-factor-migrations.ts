import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

/**
 * Whether an organization requires a second factor. Triggers publish the resulting changes of effective roles: for all
 * members when their organization's rule changes, for one user when their factor is added or removed.
 */
export async function requireSecondFactors(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    alter table ${table("organizations")} add column requires_second_factor boolean not null default false`.execute(db);
  const createTrigger = async (name: string, users: string) =>
    await sql`
      create function ${table(name)}() returns trigger language plpgsql as $$
      begin
        insert into security_service.access_changes (user_id, organization_id)
          select user_id, organization_id from security_service.memberships where ${sql.raw(users)};
        perform pg_notify('access_changes', '');
        return null;
      end $$`.execute(db);
  await createTrigger("tell_changed_requirement", "organization_id = new.id");
  await createTrigger("tell_changed_factor", "user_id = old.user_id");
  await sql`
    create trigger tell_changed_requirement after update of requires_second_factor on ${table("organizations")}
    for each row when (old.requires_second_factor is distinct from new.requires_second_factor)
    execute function ${table("tell_changed_requirement")}()`.execute(db);
  await sql`
    create trigger tell_changed_factor after update of confirmed_at on ${table("second_factors")}
    for each row when (old.confirmed_at is distinct from new.confirmed_at)
    execute function ${table("tell_changed_factor")}()`.execute(db);
  await sql`
    create trigger tell_deleted_factor after delete on ${table("second_factors")}
    for each row when (old.confirmed_at is not null)
    execute function ${table("tell_changed_factor")}()`.execute(db);
}
