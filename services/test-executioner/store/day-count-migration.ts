import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

const verdicts = ["passed", "failed", "errored", "flaky", "skipped", "blocked"];
const counters = [...verdicts, "response_times", "unsteady", "available", "unavailable"];
const keys = sql.raw("organization_id, subject_id, day");
const day = sql.raw("(hour at time zone 'UTC')::date");
const each = (write: (counter: string) => string) => sql.raw(counters.map(write).join(", "));

/**
 * Days in addition to hours: reading a quarter of a year of a subject takes one row per day. Triggers, so that a day is
 * the sum of its hours whichever code counts, repairs or deletes them, including an older version running at the same
 * time.
 */
export async function createDayCounts(db: Kysely<AnyTables>): Promise<void> {
  await sql`lock table ${table("execution_counts")} in share row exclusive mode`.execute(db);
  await sql`
    create table ${table("day_counts")} (
      organization_id uuid not null,
      subject_id uuid not null,
      day date not null,
      ${each((name) => `${name} ${name === "response_times" ? "numeric" : "integer"} not null default 0`)},
      primary key (${keys})
    ) with (fillfactor = 70)`.execute(db);
  await sql`
    insert into ${table("day_counts")} (${keys}, ${each((name) => name)})
    select organization_id, subject_id, ${day}, ${each((name) => `sum(${name})`)}
    from ${table("execution_counts")} group by 1, 2, 3`.execute(db);
  await addToDays(db);
  await takeFromDays(db);
}

const setting = "portal.counts_days";

/** In a statement that adds to hours and to their days: until its transaction ends, no trigger adds to the days. */
export const countDaysHere = sql.raw(`set_config('${setting}', 'on', true)`);

/**
 * Counting adds to hours and days in one statement: a trigger costs a call and a statement for each row. It remains for
 * everything else: repairs, and an older version running at the same time.
 */
export async function countDaysWithHours(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create or replace trigger add_to_day after insert or update on ${table("execution_counts")} for each row
    when (current_setting(${sql.lit(setting)}, true) is distinct from 'on')
    execute function ${table("add_to_day")}()`.execute(db);
}

/** Row by row: counting locks hours in the order of their keys, and so days in the same order. */
async function addToDays(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create function ${table("add_to_day")}() returns trigger language plpgsql as $$
    begin
      insert into ${table("day_counts")} as counts (${keys}, ${each((name) => name)})
      values (new.organization_id, new.subject_id, (new.hour at time zone 'UTC')::date,
        ${each((name) => `new.${name} - coalesce(old.${name}, 0)`)})
      on conflict (${keys}) do update set ${each((name) => `${name} = counts.${name} + excluded.${name}`)};
      return null;
    end $$`.execute(db);
  await sql`
    create trigger add_to_day after insert or update on ${table("execution_counts")} for each row
    execute function ${table("add_to_day")}()`.execute(db);
}

/** All at once: months of hours are deleted in one statement. A day without any is deleted. */
async function takeFromDays(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create function ${table("take_from_days")}() returns trigger language plpgsql as $$
    begin
      update ${table("day_counts")} counts set ${each((name) => `${name} = counts.${name} - taken.${name}`)}
      from (
        select organization_id, subject_id, ${day} as day, ${each((name) => `sum(${name}) as ${name}`)}
        from gone group by 1, 2, 3
      ) taken
      where (counts.organization_id, counts.subject_id, counts.day) = (taken.organization_id, taken.subject_id, taken.day);
      delete from ${table("day_counts")} where ${sql.raw(verdicts.join(" + "))} = 0
        and (${keys}) in (select organization_id, subject_id, ${day} from gone);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger take_from_days after delete on ${table("execution_counts")} referencing old table as gone
    for each statement execute function ${table("take_from_days")}()`.execute(db);
}
