import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { noAnswerCodes } from "../domain/availability.ts";
import { table } from "./tables.ts";

const counters = sql.raw(
  ["passed", "failed", "errored", "flaky", "skipped", "blocked"]
    .map((verdict) => `${verdict} integer not null default 0`)
    .concat("response_times numeric not null default 0")
    .join(", "),
);

/** Pages are filled by half: rows are counted up in place, and none of the counted columns is in an index. */
export async function createCounts(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("execution_counts")} (
      organization_id uuid not null,
      subject_id uuid not null,
      hour timestamptz not null,
      ${counters},
      primary key (organization_id, subject_id, hour)
    ) with (fillfactor = 50)`.execute(db);
  await sql`
    create table ${table("operation_counts")} (
      organization_id uuid not null,
      day date not null,
      api_id uuid not null,
      operation_id uuid not null,
      method text not null,
      path text not null,
      unsteady integer not null default 0,
      ${counters},
      primary key (organization_id, day, api_id, operation_id)
    ) with (fillfactor = 50)`.execute(db);
  await sql`
    create table ${table("operation_verdicts")} (
      organization_id uuid not null,
      api_id uuid not null,
      operation_id uuid not null,
      status_code integer not null,
      verdict text not null,
      execution_id uuid not null,
      test_id uuid not null,
      finished_at timestamptz not null,
      primary key (organization_id, api_id, operation_id, status_code)
    ) with (fillfactor = 50)`.execute(db);
  await sql`
    create table ${table("last_verdicts")} (
      organization_id uuid not null,
      test_id uuid not null,
      data_row integer not null,
      verdict text not null,
      replaced_verdict text,
      primary key (organization_id, test_id, data_row)
    ) with (fillfactor = 50)`.execute(db);
  await countPastExecutions(db);
}

/** What did not run says nothing of whether its test ends the same way each time. */
const hasRun = sql`verdict not in ('skipped', 'blocked')`;

/** Everything that has ended, buckets of response time as in domain/response-times. */
const past = sql`(
    select organization_id, api_id, test_id, id, path, verdict, cause, status_code, finished_at,
      coalesce(row_index + 1, 0) as data_row,
      case when lower(method) in ('get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query')
        then lower(method) else method end as method,
      case when response_milliseconds is null then 0
        else ('1' || repeat('0', 8 * case when response_milliseconds > 0.1
          then least(ceil(ln(response_milliseconds / 0.1) / ln(1.1::float8)), 164)::int else 0 end))::numeric
        end as response_times
    from ${table("executions")} where verdict is not null and finished_at is not null
  )`;

/** Of every execution that ran, whether it needed a later attempt or ended otherwise than the one before. */
const steadiness = sql`(
  select id, verdict = 'flaky'
    or verdict <> lag(verdict) over (partition by test_id, data_row order by finished_at, id) as is_unsteady
  from ${past} as past where ${hasRun}
)`;

/** Counts what ended before anything was counted. */
export async function countPastExecutions(db: Kysely<AnyTables>): Promise<void> {
  const summed = sql`
    count(*) filter (where verdict = 'passed'), count(*) filter (where verdict = 'failed'),
    count(*) filter (where verdict = 'errored'), count(*) filter (where verdict = 'flaky'),
    count(*) filter (where verdict = 'skipped'), count(*) filter (where verdict = 'blocked'), sum(response_times)`;
  const counted = sql`passed, failed, errored, flaky, skipped, blocked, response_times`;
  await sql`
    insert into ${table("execution_counts")} (organization_id, subject_id, hour, ${counted})
    select organization_id, subject_id, date_trunc('hour', finished_at, 'UTC'), ${summed}
    from ${past} as past, unnest(array[organization_id, api_id, test_id]) as subject(subject_id)
    group by 1, 2, 3`.execute(db);
  await sql`
    insert into ${table("operation_counts")}
      (organization_id, day, api_id, operation_id, method, path, unsteady, ${counted})
    select organization_id, (finished_at at time zone 'UTC')::date, api_id, md5(method || ' ' || path)::uuid, method, path,
      count(*) filter (where is_unsteady), ${summed}
    from ${past} as past left join ${steadiness} as steadiness using (id)
    group by 1, 2, 3, method, path`.execute(db);
  await sql`
    insert into ${table("operation_verdicts")}
      (organization_id, api_id, operation_id, status_code, verdict, execution_id, test_id, finished_at)
    select distinct on (organization_id, api_id, operation_id, status_code)
      organization_id, api_id, md5(method || ' ' || path)::uuid as operation_id, status_code, verdict, id, test_id,
      finished_at
    from ${past} as past where status_code is not null
    order by organization_id, api_id, operation_id, status_code, finished_at desc`.execute(db);
  await sql`
    insert into ${table("last_verdicts")} (organization_id, test_id, data_row, verdict)
    select distinct on (organization_id, test_id, data_row) organization_id, test_id, data_row, verdict
    from ${past} as past where ${hasRun}
    order by organization_id, test_id, data_row, finished_at desc, id desc`.execute(db);
}

/** How often an API was there and how often a test was unsteady, by hour. Counts that are there keep their rows. */
export async function addAvailability(db: Kysely<AnyTables>): Promise<void> {
  const added = ["unsteady", "available", "unavailable"].map((name) => `add column ${name} integer not null default 0`);
  await sql`alter table ${table("execution_counts")} ${sql.raw(added.join(", "))}`.execute(db);
  await countPastAvailability(db);
}

/** As domain/availability says it. */
export async function countPastAvailability(db: Kysely<AnyTables>): Promise<void> {
  const isThere = sql`case
    when status_code is not null then status_code < 500 or verdict in ('passed', 'flaky')
    when (cause::jsonb ->> 'code') = any(${noAnswerCodes}::text[]) then false
  end`;
  await sql`
    update ${table("execution_counts")} counts
    set unsteady = known.unsteady, available = known.available, unavailable = known.unavailable
    from (
      select organization_id, subject_id, date_trunc('hour', finished_at, 'UTC') as hour,
        count(*) filter (where is_unsteady) as unsteady, count(*) filter (where ${isThere}) as available,
        count(*) filter (where not ${isThere}) as unavailable
      from ${past} as past left join ${steadiness} as steadiness using (id),
        unnest(array[organization_id, api_id, test_id]) as subject(subject_id)
      group by 1, 2, 3
    ) as known
    where counts.organization_id = known.organization_id and counts.subject_id = known.subject_id
      and counts.hour = known.hour`.execute(db);
}
