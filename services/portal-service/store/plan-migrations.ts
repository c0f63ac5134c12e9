import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

/** The operator can change plans: a price once offered is retained for its subscribers. */
export async function letOperatorsPlan(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("services")} add column retired_at timestamptz`.execute(db);
  await sql`create unique index services_by_name on ${table("services")} (lower(name))`.execute(db);
  await sql`alter table ${table("provider_plans")} add column offered_at timestamptz`.execute(db);
  await sql`
    insert into ${table("provider_plans")} (service_id, price_minor, price_currency, request_id)
      select id, cast(price_amount * 100 as bigint), price_currency, gen_random_uuid()
      from ${table("services")} where price_amount > 0
    on conflict do nothing`.execute(db);
}
