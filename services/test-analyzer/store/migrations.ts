import { type Kysely, type Migration, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const executions = sql.id(schemaName, "recorded_executions");

async function createExecutions(db: Kysely<AnyTables>): Promise<void> {
  // `json`, not `jsonb`: what a server answered may hold NUL characters, which jsonb refuses.
  await sql`
    create table ${executions} (
      execution_id uuid primary key,
      organization_id uuid not null,
      test_id uuid not null,
      test_name text not null,
      api_id uuid not null,
      method text not null,
      path text not null,
      verdict text not null,
      status_code integer,
      response_milliseconds double precision,
      finished_at timestamptz not null,
      verifications json not null
    )`.execute(db);
  // Trends of an organization and of an API read from the index alone: rows carry their verifications and are wide.
  await sql`create index recorded_executions_trend on ${executions} (organization_id, api_id, finished_at)
    include (verdict, response_milliseconds, method, path, test_id)`.execute(db);
  await sql`create index recorded_executions_time on ${executions} (organization_id, finished_at)
    include (verdict, response_milliseconds, api_id, method, path, test_id)`.execute(db);
  await sql`create index recorded_executions_test on ${executions} (organization_id, test_id, finished_at)`.execute(db);
  await sql`create index recorded_executions_coverage
    on ${executions} (organization_id, api_id, path, method, status_code, finished_at desc)
    include (verdict, test_id, execution_id)`.execute(db);
}

export const migrations: Record<string, Migration> = { "001-executions": { up: createExecutions } };
