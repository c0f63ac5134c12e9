import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

/** A price may start with free days; at the provider that is another plan than the same price without them. */
export async function letPlansBeTried(db: Kysely<AnyTables>): Promise<void> {
  for (const name of ["services", "provider_plans", "subscriptions"])
    await sql`alter table ${table(name)} add column trial_days integer not null default 0`.execute(db);
  await sql`
    alter table ${table("provider_plans")}
      drop constraint provider_plans_pkey,
      add primary key (service_id, price_minor, price_currency, trial_days)`.execute(db);
  await sql`
    alter table ${table("subscriptions")}
      add column trial_ends_at timestamptz,
      add column trial_told_at timestamptz`.execute(db);
}
