import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { table } from "./tables.ts";

/** Locations with their agents, and at which location an execution is, or was, to be run. */
export async function createLocations(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("locations")} (
      organization_id uuid not null,
      id uuid not null,
      name text not null,
      description text not null,
      version integer not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (organization_id, id)
    )`.execute(db);
  await sql`create unique index locations_name on ${table("locations")} (organization_id, lower(name))`.execute(db);
  await sql`
    create table ${table("agents")} (
      organization_id uuid not null,
      id uuid primary key,
      location_id uuid not null,
      name text not null,
      signing_key text not null,
      sealing_key text not null,
      version text not null,
      concurrency integer not null default 1,
      blocked integer not null default 0,
      waiting_results integer not null default 0,
      refused integer not null default 0,
      registered_at timestamptz not null,
      last_seen_at timestamptz,
      revoked_at timestamptz,
      foreign key (organization_id, location_id) references ${table("locations")} on delete cascade
    ) with (fillfactor = 50)`.execute(db);
  await sql`create index agents_location on ${table("agents")} (organization_id, location_id)`.execute(db);
  await sql`
    create table ${table("agent_codes")} (
      organization_id uuid not null,
      code_hash text primary key,
      location_id uuid not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      foreign key (organization_id, location_id) references ${table("locations")} on delete cascade
    )`.execute(db);
  await sql`create index agent_codes_location on ${table("agent_codes")} (organization_id, location_id)`.execute(db);
  await sql`
    create table ${table("agent_calls")} (
      organization_id uuid not null,
      agent_id uuid not null references ${table("agents")} on delete cascade,
      call_id text not null,
      expires_at timestamptz not null,
      primary key (agent_id, call_id)
    )`.execute(db);
  await addToExecutions(db);
}

async function addToExecutions(db: Kysely<AnyTables>): Promise<void> {
  const unfinished = table("unfinished_executions");
  await sql`alter table ${unfinished} add column location_id uuid, add column agent_id uuid`.execute(db);
  await sql`alter table ${table("executions")} add column location_id uuid, add column agent_id uuid`.execute(db);
  // What waits for an agent must not slow the claims of the portal's own workers.
  await sql`drop index ${sql.id("test_executioner", "unfinished_claimable")}`.execute(db);
  await sql`create index unfinished_claimable on ${unfinished} (organization_id, id)
    where state = 'queued' and is_released and location_id is null`.execute(db);
  await sql`create index unfinished_of_location on ${unfinished} (organization_id, location_id, id)
    where location_id is not null`.execute(db);
}

export async function reportSilence(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("locations")} add column reported_silent_at timestamptz`.execute(db);
}

/** Runs that are sent from several places: the members of one place follow those of another. */
export async function addPlaces(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("runs")} add column series_size integer,
    add column regional integer not null default 0, add column regional_test_ids uuid[]`.execute(db);
  const captures = table("run_captures");
  await sql`alter table ${captures} add column series smallint not null default 0`.execute(db);
  await sql`alter table ${captures} drop constraint run_captures_pkey`.execute(db);
  await sql`alter table ${captures} add primary key (run_id, series, name)`.execute(db);
}

/** What a run from several places comes to by their rule; null for others. */
export async function addJudgedCounts(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("runs")} add column judged_passed integer, add column judged_not_passed integer`.execute(
    db,
  );
}

/** Occurrences assigned to agents for when the portal is away, and runs that agents started. */
export async function createAgentSchedules(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("agent_schedules")} (
      organization_id uuid not null,
      agent_id uuid not null references ${table("agents")} on delete cascade,
      schedule_id uuid not null,
      schedule_version integer not null,
      schedule_name text,
      test_circle_id uuid not null,
      moments timestamptz[] not null,
      handed_at timestamptz not null,
      primary key (agent_id, schedule_id)
    )`.execute(db);
  await sql`create index agent_schedules_schedule on ${table("agent_schedules")} (schedule_id)`.execute(db);
  await sql`alter table ${table("runs")} add column late_agent_id uuid`.execute(db);
}
