import { type Kysely, type Migration, sql } from "kysely";
import { chainAuditRecords, indexAuditRecordKinds } from "../../kit/audit/audit-chain.ts";
import { indexAuditRecordNames, indexAuditRecordTerms } from "../../kit/audit/audit-search.ts";
import { createAuditTable } from "../../kit/audit/audit-table.ts";
import type { AnyTables } from "../../kit/database/database.ts";
import { createDeliveryTable } from "../../kit/events/delivery-table.ts";
import { createEndedTable } from "../../kit/organization/ended-table.ts";
import { addCaptureTypes } from "./capture-type-migration.ts";
import { addCircles, indexCircleFilters } from "./circle-migration.ts";
import { addAvailability, countPastCircles, createCounts } from "./count-migration.ts";
import { createDatedDetails } from "./dated-details-migration.ts";
import { countDaysWithHours, createDayCounts } from "./day-count-migration.ts";
import { createDeletedTests, dueDeletions } from "./deleted-tests.ts";
import { markDisabledTests } from "./disabled-tests.ts";
import { createExplorations } from "./explorations.ts";
import { addFailingSince } from "./failing-since-migration.ts";
import { indexFailingTests } from "./failing-tests-migration.ts";
import { indexFiltersLess } from "./filter-indexes.ts";
import { addFreeRepetitions } from "./free-repetitions.ts";
import { indexLess } from "./lean-queue-migration.ts";
import {
  addJudgedCounts,
  addPlaces,
  createAgentSchedules,
  createLocations,
  reportSilence,
} from "./location-migration.ts";
import { createLookTable } from "./looked-at-runs.ts";
import { addMadeCaptures } from "./made-captures-migration.ts";
import { createOccurrences } from "./occurrence-migration.ts";
import { addOutcomes } from "./outcome-migration.ts";
import { createPlans } from "./plan-quota.ts";
import { addRowNames } from "./row-name-migration.ts";
import { indexRunFilters } from "./run-filter-migration.ts";
import { addWaitingSince, createRunTables } from "./run-tables.ts";
import { createScheduleFences } from "./schedule-fences.ts";
import { addRunStarters } from "./starter-migrations.ts";
import { schemaName } from "./tables.ts";
import { createTestNotices } from "./test-notices.ts";
import { addTimings } from "./timing-migration.ts";
import { addBaseOfDetails } from "./unchanged-migration.ts";

const table = (name: string) => sql.id(schemaName, name);

async function createExecutions(db: Kysely<AnyTables>): Promise<void> {
  // JSON that is never searched is text: no parsing on insert, and a NUL in a response body can be stored.
  await sql`
    create table ${table("runs")} (
      id uuid primary key,
      organization_id uuid not null,
      api_id uuid not null,
      facts text not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index runs_api on ${table("runs")} (organization_id, api_id)`.execute(db);
  await sql`
    create table ${table("test_snapshots")} (
      test_id uuid not null,
      version integer not null,
      organization_id uuid not null,
      api_id uuid not null,
      test text not null,
      primary key (test_id, version)
    )`.execute(db);
  // Half-filled pages have space for an execution's two updates next to its first version.
  await sql`
    create table ${table("executions")} (
      id uuid primary key,
      organization_id uuid not null,
      run_id uuid not null,
      test_id uuid not null,
      test_version integer not null,
      test_name text not null,
      api_id uuid not null,
      method text not null,
      path text not null,
      row_index integer,
      state text not null default 'queued',
      verdict text,
      cause text,
      trigger text not null,
      fencing_token integer not null default 0,
      attempt_count integer not null default 0,
      status_code integer,
      response_milliseconds double precision,
      queued_at timestamptz not null,
      started_at timestamptz,
      finished_at timestamptz
    ) with (fillfactor = 50)`.execute(db);
  await sql`create index executions_test on ${table("executions")} (organization_id, test_id, queued_at, id)`.execute(
    db,
  );
  await sql`create index executions_verdict on ${table("executions")} (organization_id, test_id, verdict, queued_at, id)
    where verdict is not null`.execute(db);
  await sql`
    create table ${table("execution_attempts")} (
      execution_id uuid primary key,
      organization_id uuid not null,
      attempts text not null
    )`.execute(db);
  await sql`
    create table ${table("latest_executions")} (
      organization_id uuid not null,
      test_id uuid not null,
      api_id uuid not null,
      run_id uuid not null,
      execution_id uuid not null,
      state text not null,
      verdict text,
      status_code integer,
      response_milliseconds double precision,
      queued_at timestamptz not null,
      finished_at timestamptz,
      pending integer not null,
      primary key (organization_id, test_id)
    ) with (fillfactor = 50)`.execute(db);
  await sql`create index latest_executions_api on ${table("latest_executions")} (organization_id, api_id)`.execute(db);
  await sql`
    create table ${table("idempotency_keys")} (
      organization_id uuid not null,
      key text not null,
      target text not null,
      execution_ids uuid[] not null,
      created_at timestamptz not null,
      primary key (organization_id, key)
    )`.execute(db);
}

/** Without it, finding the few manual runs among a million scheduled ones takes a second. */
async function indexTriggers(db: Kysely<AnyTables>): Promise<void> {
  await sql`create index executions_trigger on ${table("executions")} (organization_id, test_id, trigger, queued_at, id)`.execute(
    db,
  );
}

/** Null for passed executions, which takes no space. */
async function addBlame(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("executions")} add column host text, add column credential_id uuid`.execute(db);
}

export const migrations: Record<string, Migration> = {
  "001-executions": { up: createExecutions },
  "002-triggers": { up: indexTriggers },
  "004-counts": { up: createCounts },
  "005-runs": { up: createRunTables },
  "006-events": { up: createDeliveryTable(schemaName) },
  "007-run-filters": { up: indexRunFilters },
  "008-audit": { up: createAuditTable(schemaName) },
  "009-deleted-tests": { up: createDeletedTests },
  "010-availability": { up: addAvailability },
  "011-schedule-fences": { up: createScheduleFences },
  "012-circles": { up: addCircles },
  "013-occurrences": { up: createOccurrences },
  "014-blame": { up: addBlame },
  "015-circle-filters": { up: indexCircleFilters },
  "016-circle-counts": { up: countPastCircles },
  "017-day-counts": { up: createDayCounts },
  "018-plans": { up: createPlans },
  "019-audit-by-words": { up: indexAuditRecordTerms(schemaName) },
  "020-ended-organizations": { up: createEndedTable(schemaName) },
  "021-audit-chain": { up: chainAuditRecords(schemaName) },
  "022-failing-since": { up: addFailingSince },
  "023-failing-tests": { up: indexFailingTests },
  "024-disabled-tests": { up: markDisabledTests },
  "025-run-starters": { up: addRunStarters },
  "026-quicker-audit": { up: indexAuditRecordKinds(schemaName) },
  "027-due-deletions": { up: dueDeletions },
  "028-waiting-since": { up: addWaitingSince },
  "029-days-with-hours": { up: countDaysWithHours },
  "030-capture-types": { up: addCaptureTypes },
  "031-free-repetitions": { up: addFreeRepetitions },
  "037-outcomes": { up: addOutcomes },
  "040-timings": { up: addTimings },
  "041-made-captures": { up: addMadeCaptures },
  "042-looked-at-runs": { up: createLookTable("looked_at_runs") },
  "043-noticed-runs": { up: createLookTable("noticed_runs") },
  "044-test-notices": { up: createTestNotices },
  "045-row-names": { up: addRowNames },
  "046-explorations": { up: createExplorations },
  "047-locations": { up: createLocations },
  "048-unchanged-responses": { up: addBaseOfDetails },
  "049-audit-by-names": { up: indexAuditRecordNames(schemaName) },
  "050-reported-silence": { up: reportSilence },
  "051-dated-details": { up: createDatedDetails },
  "052-lean-queue": { up: indexLess },
  "053-lean-filters": { up: indexFiltersLess },
  "054-places": { up: addPlaces },
  "055-judged-counts": { up: addJudgedCounts },
  "056-agent-schedules": { up: createAgentSchedules },
};
