import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { createPartitions } from "./partitions.ts";
import { schemaName, table } from "./tables.ts";

const old = (name: string) => sql.id(schemaName, `old_${name}`);

/** Adds a table of runs; executions are one row each, with separate tables for waiting and finished ones. */
export async function createRunTables(db: Kysely<AnyTables>): Promise<void> {
  for (const name of ["runs", "executions"]) {
    await sql`alter table ${sql.id(schemaName, name)} rename to ${sql.id(`old_${name}`)}`.execute(db);
  }
  for (const name of ["runs_pkey", "runs_api", "executions_pkey", "executions_test", "executions_verdict"]) {
    await sql`alter index ${sql.id(schemaName, name)} rename to ${sql.id(`old_${name}`)}`.execute(db);
  }
  await sql`alter index ${sql.id(schemaName, "executions_trigger")} rename to ${sql.id("old_executions_trigger")}`.execute(
    db,
  );
  await createRuns(db);
  await createUnfinished(db);
  await createEnded(db);
  await moveRows(db);
  await sql`alter table ${table("idempotency_keys")} add column run_id uuid`.execute(db);
  await sql`update ${table("idempotency_keys")} key set run_id = execution.run_id
    from ${old("executions")} execution where execution.id = key.execution_ids[1]`.execute(db);
  await sql`delete from ${table("idempotency_keys")} where run_id is null`.execute(db);
  await sql`alter table ${table("idempotency_keys")} alter column run_id set not null, drop column execution_ids`.execute(
    db,
  );
  await sql`drop table ${sql.id(schemaName, "execution_attempts")}, ${old("executions")}, ${old("runs")}`.execute(db);
  // The analyzer's copy of the rows migrated above. The rest of its schema is newer.
  await sql`drop table if exists test_analyzer.recorded_executions`.execute(db);
}

async function createRuns(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("runs")} (
      id uuid primary key,
      organization_id uuid not null,
      source_kind text not null,
      test_id uuid,
      test_name text,
      api_id uuid,
      include text,
      rerun_of uuid,
      trigger text not null,
      execution_order text not null,
      stop_on_failure boolean not null,
      surroundings text not null,
      state text not null,
      is_cancelled boolean not null default false,
      verdict text,
      reason text,
      reason_position integer,
      tests integer not null,
      executions integer not null,
      unfinished integer not null,
      cancelled integer not null default 0,
      passed integer not null default 0,
      failed integer not null default 0,
      errored integer not null default 0,
      flaky integer not null default 0,
      skipped integer not null default 0,
      blocked integer not null default 0,
      left_out integer not null default 0,
      queued_at timestamptz not null,
      started_at timestamptz,
      finished_at timestamptz
    ) with (fillfactor = 70)`.execute(db);
  // None of these includes a column that a result changes, so counting stays on the row's page.
  await sql`create index runs_organization on ${table("runs")} (organization_id, id)`.execute(db);
  await sql`create index runs_api on ${table("runs")} (organization_id, api_id, id) where api_id is not null`.execute(
    db,
  );
  await sql`create index runs_test on ${table("runs")} (organization_id, test_id, id) where test_id is not null`.execute(
    db,
  );
  await sql`
    create table ${table("run_apis")} (
      run_id uuid not null references ${table("runs")} on delete cascade,
      organization_id uuid not null,
      api_id uuid not null,
      primary key (organization_id, api_id, run_id)
    )`.execute(db);
  await sql`create index run_apis_run on ${table("run_apis")} (run_id)`.execute(db);
  await sql`
    create table ${table("run_captures")} (
      run_id uuid not null references ${table("runs")} on delete cascade,
      name text not null,
      organization_id uuid not null,
      position integer not null,
      is_secret boolean not null,
      value text not null,
      primary key (run_id, name)
    )`.execute(db);
}

const shared = sql`
      id uuid not null,
      organization_id uuid not null,
      run_id uuid not null,
      position integer not null,
      test_id uuid not null,
      test_version integer not null,
      test_name text not null,
      api_id uuid not null,
      method text not null,
      path text not null,
      row_index integer,
      trigger text not null,
      queued_at timestamptz not null,
      started_at timestamptz`;

async function createUnfinished(db: Kysely<AnyTables>): Promise<void> {
  // Rows are inserted and deleted by the thousand: autovacuum has to start after a few hundred, not after a fifth.
  await sql`
    create table ${table("unfinished_executions")} (${shared},
      state text not null default 'queued',
      is_released boolean not null,
      fencing_token integer not null default 0,
      claims integer not null default 0,
      leased_until timestamptz,
      primary key (id)
    ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
      autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000)`.execute(db);
  const name = table("unfinished_executions");
  await sql`create index unfinished_claimable on ${name} (organization_id, id)
    where state = 'queued' and is_released`.execute(db);
  await sql`create index unfinished_leases on ${name} (leased_until) where state = 'running'`.execute(db);
  await sql`create index unfinished_run on ${name} (run_id, position)`.execute(db);
  await sql`create index unfinished_test on ${name} (organization_id, test_id, id)`.execute(db);
}

/** A member whose turn comes late in a long run has not waited for a worker since the run's start. */
export async function addWaitingSince(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("unfinished_executions")} add column waiting_since timestamptz`.execute(db);
}

async function createEnded(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("executions")} (${shared},
      state text not null,
      verdict text,
      cause text,
      reason text,
      attempt_count integer not null,
      status_code integer,
      response_milliseconds double precision,
      finished_at timestamptz not null,
      primary key (id)
    ) partition by range (id)`.execute(db);
  const name = table("executions");
  await sql`create index executions_test on ${name} (organization_id, test_id, id)`.execute(db);
  await sql`create index executions_verdict on ${name} (organization_id, test_id, verdict, id)`.execute(db);
  // Without it, finding the few manual runs among a million scheduled ones takes a second.
  await sql`create index executions_trigger on ${name} (organization_id, test_id, trigger, id)`.execute(db);
  await sql`create index executions_run on ${name} (run_id, position)`.execute(db);
  // Text, not jsonb: no parsing on insert, and a NUL in a response body can be stored.
  await sql`
    create table ${table("execution_details")} (
      execution_id uuid not null primary key,
      organization_id uuid not null,
      schema_version integer not null,
      attempts text not null,
      verifications text not null
    ) partition by range (execution_id)`.execute(db);
  await sql`create table ${sql.id(schemaName, "executions_other")} partition of ${name} default`.execute(db);
  await sql`create table ${sql.id(schemaName, "execution_details_other")}
    partition of ${table("execution_details")} default`.execute(db);
}

async function moveRows(db: Kysely<AnyTables>): Promise<void> {
  const { rows } = await sql<{ first: string | null }>`
    select id::text as first from ${old("executions")} order by id limit 1`.execute(db);
  const first = rows[0]?.first;
  const now = new Date();
  const from = first ? new Date(Number.parseInt(first.replace("-", "").slice(0, 12), 16)) : now;
  await createPartitions(db, now, from < now ? from : now, false);
  const columns = sql`id, organization_id, run_id, position, test_id, test_version, test_name, api_id, method, path,
    row_index, trigger, queued_at, started_at`;
  const source = sql`(select *, row_number() over (partition by run_id order by id)::int as position
    from ${old("executions")}) old`;
  await sql`
    insert into ${table("unfinished_executions")} (${columns}, is_released)
    select ${columns}, true from ${source} where state in ('queued', 'running')`.execute(db);
  await sql`
    insert into ${table("executions")}
      (${columns}, state, verdict, cause, reason, attempt_count, status_code, response_milliseconds, finished_at)
    select ${columns}, state, verdict, cause, cause::json ->> 'detail', attempt_count, status_code,
      response_milliseconds, coalesce(finished_at, queued_at)
    from ${source} where state in ('finished', 'cancelled')`.execute(db);
  await moveDetails(db);
  await moveRuns(db);
}

/** Verifications belonged to the analyzer; if its table is in another database, they are not migrated. */
async function moveDetails(db: Kysely<AnyTables>): Promise<void> {
  const { rows } = await sql<{ is_here: boolean }>`
    select to_regclass('test_analyzer.recorded_executions') is not null as is_here`.execute(db);
  const recorded = rows[0]!.is_here
    ? sql`left join test_analyzer.recorded_executions recorded
        on recorded.execution_id = attempts.execution_id and recorded.organization_id = attempts.organization_id`
    : sql`left join (select null::uuid as execution_id, null::text as verifications) recorded on false`;
  await sql`
    insert into ${table("execution_details")} (execution_id, organization_id, schema_version, attempts, verifications)
    select attempts.execution_id, attempts.organization_id, 1, attempts.attempts,
      coalesce(recorded.verifications::text, '[]')
    from ${sql.id(schemaName, "execution_attempts")} attempts ${recorded}`.execute(db);
}

async function moveRuns(db: Kysely<AnyTables>): Promise<void> {
  const ended = (verdict: string) =>
    sql`count(*) filter (where execution.state = 'finished' and execution.verdict = ${sql.lit(verdict)})::int`;
  const unfinished = sql`count(*) filter (where execution.state in ('queued', 'running'))::int`;
  const worst = sql`(array['skipped', 'passed', 'flaky', 'failed', 'blocked', 'errored'])[
    max(array_position(array['skipped', 'passed', 'flaky', 'failed', 'blocked', 'errored'], execution.verdict))]`;
  await sql`
    insert into ${table("runs")} (id, organization_id, source_kind, test_id, test_name, api_id, include, trigger,
      execution_order, stop_on_failure, surroundings, state, verdict, tests, executions, unfinished, cancelled, passed,
      failed, errored, flaky, skipped, blocked, queued_at, started_at, finished_at)
    select run.id, run.organization_id,
      case when count(distinct execution.test_id) = 1 then 'test' else 'api' end,
      case when count(distinct execution.test_id) = 1 then min(execution.test_id::text)::uuid end,
      case when count(distinct execution.test_id) = 1 then min(execution.test_name) end,
      run.api_id, case when count(distinct execution.test_id) > 1 then 'all' end, min(execution.trigger),
      'parallel', false,
      json_build_object('schemaVersion', 1, 'variables', run.facts::json -> 'variables', 'apis',
        json_build_array(json_build_object('apiId', run.api_id, 'apiName', '', 'documentId', run.facts::json -> 'documentId',
          'environment', null, 'baseUrls', run.facts::json -> 'baseUrls', 'variables', json_build_object())))::text,
      case when ${unfinished} > 0 then (case when min(execution.started_at) is null then 'queued' else 'running' end)
        when bool_and(execution.state = 'cancelled') then 'cancelled' else 'finished' end,
      case when ${unfinished} = 0 then ${worst} end,
      count(distinct execution.test_id)::int, count(*)::int, ${unfinished},
      count(*) filter (where execution.state = 'cancelled')::int,
      ${ended("passed")}, ${ended("failed")}, ${ended("errored")}, ${ended("flaky")}, ${ended("skipped")},
      ${ended("blocked")}, run.created_at, min(execution.started_at),
      case when ${unfinished} = 0 then max(execution.finished_at) end
    from ${old("runs")} run
    join ${old("executions")} execution on execution.run_id = run.id
    group by run.id, run.organization_id, run.api_id, run.facts, run.created_at`.execute(db);
}
