import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { type ExecutionSum, sumExecutions } from "./execution-sums.ts";
import { table } from "./tables.ts";

const counters = sql.raw(
  ["passed", "failed", "errored", "flaky", "skipped", "blocked"]
    .map((verdict) => `${verdict} integer not null default 0`)
    .concat("response_times numeric not null default 0")
    .join(", "),
);

/** Pages are half-filled: rows are updated in place, and none of the counted columns is in an index. */
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

const availability = ["unsteady", "available", "unavailable"];
const isOfHours = ({ name }: ExecutionSum) => name === "execution_counts";
const ids = (names: readonly string[], of?: string) =>
  sql.join(names.map((name) => (of === undefined ? sql.id(name) : sql.id(of, name))));

/** Counts executions that ended before counting existed. */
export async function countPastExecutions(db: Kysely<AnyTables>): Promise<void> {
  for (const sum of sumExecutions({ knowsCircles: false })) {
    const all = [...sum.keys, ...sum.values];
    const known = isOfHours(sum) ? all.filter((name) => !availability.includes(name)) : all;
    await sql`insert into ${table(sum.name)} (${ids(known)}) select ${ids(known)} from (${sum.select}) as sums`.execute(
      db,
    );
  }
}

/** How often an API was available and how often a test was unsteady, by hour. Existing counts keep their rows. */
export async function addAvailability(db: Kysely<AnyTables>): Promise<void> {
  const added = availability.map((name) => `add column ${name} integer not null default 0`);
  await sql`alter table ${table("execution_counts")} ${sql.raw(added.join(", "))}`.execute(db);
  await countPastAvailability(db);
}

export async function countPastAvailability(db: Kysely<AnyTables>): Promise<void> {
  const { name, keys, select } = sumExecutions({ knowsCircles: false }).find(isOfHours)!;
  await sql`
    update ${table(name)} counts
    set ${sql.join(availability.map((column) => sql`${sql.id(column)} = ${sql.id("sums", column)}`))}
    from (${select}) as sums where (${ids(keys, "counts")}) = (${ids(keys, "sums")})`.execute(db);
}

/** Counts circles' past runs, organization by organization. */
export async function countPastCircles(db: Kysely<AnyTables>): Promise<void> {
  const { rows } = await sql<{ organization_id: string; circles: string[] }>`
    select organization_id, array_agg(distinct test_circle_id) as circles from ${table("runs")}
    where test_circle_id is not null and source_kind = 'circle' group by 1`.execute(db);
  for (const { organization_id: organizationId, circles } of rows) {
    const { name, keys, values, select } = sumExecutions({ organizationId, knowsCircles: true }).find(isOfHours)!;
    const columns = ids([...keys, ...values]);
    await sql`
      insert into ${table(name)} (${columns}) select ${columns} from (${select}) as sums
      where subject_id = any(${circles}::uuid[]) on conflict do nothing`.execute(db);
  }
}
