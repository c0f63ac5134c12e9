import { type Kysely, type RawBuilder, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

/** The difference that these subscriptions make to the counts of their months. */
const getCounts = (rows: RawBuilder<unknown>, by: 1 | -1) => sql`
  select to_char(began_at at time zone 'UTC', 'YYYY-MM') as month, price_currency as currency,
    ${sql.lit(by)} as began, 0 as ended
  from ${rows} where began_at is not null
  union all
  select to_char(state_changed_at at time zone 'UTC', 'YYYY-MM'), price_currency, 0, ${sql.lit(by)}
  from ${rows} where began_at is not null and state in ('CANCELLED', 'EXPIRED')`;

/** In key order, so that statements that count in several months never deadlock. */
const add = (counts: RawBuilder<unknown>) => sql`
  insert into ${table("monthly_subscriptions")} as kept (month, currency, began, ended)
  select month, currency, sum(began), sum(ended) from (${counts}) as counts
  group by month, currency having sum(began) <> 0 or sum(ended) <> 0
  order by month, currency
  on conflict (month, currency) do update
    set began = kept.began + excluded.began, ended = kept.ended + excluded.ended`;

const [deleted, come] = [sql.raw("gone"), sql.raw("come")];
const changes = {
  insert: { referencing: sql.raw("new table as come"), counts: getCounts(come, 1) },
  update: {
    referencing: sql.raw("old table as gone new table as come"),
    counts: sql`${getCounts(deleted, -1)} union all ${getCounts(come, 1)}`,
  },
  delete: { referencing: sql.raw("old table as gone"), counts: getCounts(deleted, -1) },
};

/**
 * A month's counts, stored separately from subscriptions, so that the active ones are a sum over months, however
 * many ever began. Triggers count, so that the result equals a recount whatever code writes, including an older
 * version running at the same time. Each statement counts once, and writes to no month without starts or ends. Only
 * that older version needs the indexes of `readMonthsByRange` for subscriptions.
 */
export async function countSubscriptionsByMonth(db: Kysely<AnyTables>): Promise<void> {
  await sql`lock table ${table("subscriptions")} in share row exclusive mode`.execute(db);
  await sql`
    create table ${table("monthly_subscriptions")} (
      month text not null,
      currency text not null,
      began bigint not null,
      ended bigint not null,
      primary key (month, currency)
    )`.execute(db);
  await add(getCounts(table("subscriptions"), 1)).execute(db);
  for (const [event, { referencing, counts }] of Object.entries(changes)) {
    const name = `count_${event}_by_month`;
    await sql`
      create function ${table(name)}() returns trigger language plpgsql as $$
      begin
        ${add(counts)};
        return null;
      end $$`.execute(db);
    await sql`
      create trigger ${sql.id(name)} after ${sql.raw(event)} on ${table("subscriptions")} referencing ${referencing}
      for each statement execute function ${table(name)}()`.execute(db);
  }
}
