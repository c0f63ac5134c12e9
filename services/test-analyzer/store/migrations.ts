import { type Kysely, type Migration, sql } from "kysely";
import { chainAuditRecords, indexAuditRecordKinds } from "../../kit/audit/audit-chain.ts";
import { indexAuditRecordNames, indexAuditRecordTerms } from "../../kit/audit/audit-search.ts";
import { createAuditTable } from "../../kit/audit/audit-table.ts";
import { createCodeTables } from "../../kit/code/code-tables.ts";
import type { AnyTables } from "../../kit/database/database.ts";
import { createInboxTable } from "../../kit/events/inbox.ts";
import { createKeyTable } from "../../kit/idempotency/idempotency-key.ts";
import { createEmailTable } from "../../kit/mail/email-table.ts";
import { createEndedTable } from "../../kit/organization/ended-table.ts";
import { keepWhenQueued } from "./queued-alert-migration.ts";
import { addRecoveries } from "./recovery-migration.ts";
import { addBurn, createServiceLevels } from "./service-level-migration.ts";
import { createComponents } from "./status-page-components.ts";
import { addMessages, createStatusPages } from "./status-pages.ts";
import { createUpdates } from "./status-update-migration.ts";
import { schemaName, table } from "./tables.ts";

async function createChannels(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("alert_channels")} (
      id uuid primary key,
      organization_id uuid not null,
      name text not null,
      kind text not null,
      enabled boolean not null,
      member_ids uuid[] not null,
      addresses text[] not null,
      url text,
      sealed_url text,
      host text,
      sealed_secret text,
      secret_created_at timestamptz,
      sealed_previous_secret text,
      previous_secret_created_at timestamptz,
      previous_secret_until timestamptz,
      version integer not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  await sql`create unique index alert_channels_name on ${table("alert_channels")} (organization_id, (lower(name)))`.execute(
    db,
  );
  await sql`
    create table ${table("alert_addresses")} (
      organization_id uuid not null,
      address_key text not null,
      address text not null,
      token_hash text not null unique,
      link_expires_at timestamptz not null,
      mailed_at timestamptz not null,
      confirmed_at timestamptz,
      primary key (organization_id, address_key)
    )`.execute(db);
  // `json`, not `jsonb`: members keep their order, so that every attempt sends an identical message.
  await sql`
    create table ${table("alert_deliveries")} (
      id uuid primary key,
      organization_id uuid not null,
      channel_id uuid not null references ${table("alert_channels")} on delete cascade,
      kind text not null,
      title text not null,
      message json not null,
      incident_ids uuid[] not null,
      state text not null,
      not_before timestamptz,
      tries integer not null default 0,
      status integer,
      detail text,
      created_at timestamptz not null,
      tried_at timestamptz,
      delivered_at timestamptz
    )`.execute(db);
  await sql`create index alert_deliveries_channel on ${table("alert_deliveries")} (channel_id, id)`.execute(db);
  await sql`create index alert_deliveries_held on ${table("alert_deliveries")} (not_before) where state = 'held'`.execute(
    db,
  );
}

async function createRules(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("alert_rules")} (
      id uuid primary key,
      organization_id uuid not null,
      scope_kind text not null,
      scope_id uuid not null,
      policy jsonb not null,
      channel_ids uuid[] not null,
      version integer not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint alert_rules_scope unique (organization_id, scope_kind, scope_id)
    )`.execute(db);
}

async function createIncidents(db: Kysely<AnyTables>): Promise<void> {
  for (const name of ["incident_tests", "incident_channels", "incident_entries", "incidents"] as const) {
    await sql`drop table if exists ${table(name)}`.execute(db);
  }
  await sql`
    create table ${table("incidents")} (
      id uuid primary key,
      organization_id uuid not null,
      fingerprint text not null,
      cause jsonb not null,
      title text not null,
      is_unsteady boolean not null,
      severity text not null,
      since timestamptz not null,
      opened_at timestamptz not null,
      acknowledged_at timestamptz,
      acknowledged_by uuid,
      acknowledged_name text,
      muted_until timestamptz,
      resolved_at timestamptz,
      resolved_by uuid,
      resolved_name text,
      failure jsonb not null,
      api_id uuid not null
    )`.execute(db);
  await sql`create unique index incidents_of_cause on ${table("incidents")} (organization_id, fingerprint)
    where resolved_at is null`.execute(db);
  await sql`create index incidents_of_organization on ${table("incidents")} (organization_id, id)`.execute(db);
  await sql`create index incidents_unresolved on ${table("incidents")} (organization_id, id)
    where resolved_at is null`.execute(db);
  const location = sql`
      test_id uuid not null,
      test_circle_id uuid not null,
      environment text not null,
      api_id uuid not null`;
  await sql`
    create table ${table("watched_tests")} (
      organization_id uuid not null,
      ${location},
      described jsonb not null,
      judged_up_to uuid not null,
      failures integer not null,
      since timestamptz,
      is_unsteady boolean not null,
      incident_id uuid references ${table("incidents")} on delete set null,
      failure jsonb,
      updated_at timestamptz not null,
      primary key (organization_id, test_circle_id, test_id, environment)
    )`.execute(db);
  await sql`create index watched_tests_incident on ${table("watched_tests")} (incident_id) where incident_id is not null`.execute(
    db,
  );
  await sql`create index watched_tests_pending on ${table("watched_tests")} (organization_id)
    where incident_id is null and failures > 0`.execute(db);
  const child = sql`incident_id uuid not null references ${table("incidents")} on delete cascade`;
  await sql`
    create table ${table("incident_tests")} (
      ${child},
      organization_id uuid not null,
      ${location},
      described jsonb not null,
      test_name text not null,
      state text not null,
      since timestamptz not null,
      reason text,
      run_id uuid not null,
      execution_id uuid not null,
      primary key (incident_id, test_circle_id, test_id, environment)
    )`.execute(db);
  await sql`create index incident_tests_api on ${table("incident_tests")} (organization_id, api_id, incident_id)`.execute(
    db,
  );
  await sql`create index incident_tests_circle
    on ${table("incident_tests")} (organization_id, test_circle_id, incident_id)`.execute(db);
  await sql`
    create table ${table("incident_channels")} (
      ${child},
      channel_id uuid not null references ${table("alert_channels")} on delete cascade,
      organization_id uuid not null,
      delivery_id uuid not null,
      tells_recovery boolean not null,
      quiet_hours jsonb,
      remind_hours integer,
      remind_at timestamptz,
      primary key (incident_id, channel_id)
    )`.execute(db);
  await sql`create index incident_channels_reminders on ${table("incident_channels")} (remind_at)
    where remind_at is not null`.execute(db);
  await sql`
    create table ${table("incident_entries")} (
      id uuid primary key,
      organization_id uuid not null,
      ${child},
      at timestamptz not null,
      kind text not null,
      text text not null,
      actor_id uuid,
      actor_name text,
      run_id uuid
    )`.execute(db);
  await sql`create index incident_entries_incident on ${table("incident_entries")} (incident_id, id)`.execute(db);
}

/** The link to a run needs its API. */
async function addApiToEntries(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("incident_entries")} add column api_id uuid`.execute(db);
}

/** Stored as a moment, so that each reader sees it in their own zone. */
async function addUntilToEntries(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("incident_entries")} add column lasts_until timestamptz`.execute(db);
}

async function createMarks(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("marks")} (
      id uuid primary key,
      organization_id uuid not null,
      kind text not null,
      name text not null,
      at timestamptz not null,
      api_id uuid,
      api_name text,
      test_id uuid,
      url text,
      created_by text
    )`.execute(db);
  await sql`create index marks_newest on ${table("marks")} (organization_id, at desc, id desc)`.execute(db);
  await sql`create index marks_by_age on ${table("marks")} (at)`.execute(db);
}

async function createCertificates(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("certificates")} (
      id uuid primary key,
      organization_id uuid not null,
      host text not null,
      api_id uuid not null,
      valid_to timestamptz not null,
      subject text not null,
      issuer text not null,
      seen_at timestamptz not null,
      warned_days integer,
      warned_valid_to timestamptz,
      warn_at timestamptz,
      constraint certificates_host unique (organization_id, host)
    )`.execute(db);
  await sql`create index certificates_first_to_end on ${table("certificates")} (organization_id, valid_to, id)`.execute(
    db,
  );
  await sql`create index certificates_due on ${table("certificates")} (warn_at) where warn_at is not null`.execute(db);
}

async function nameKeysOfAnything(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${sql.id(schemaName, "idempotency_keys")} rename column mark_id to made_id`.execute(db);
}

/** Indexes for deleting old rows without a full scan. */
async function findByAge(db: Kysely<AnyTables>): Promise<void> {
  await sql`create index alert_deliveries_by_age on ${table("alert_deliveries")} (created_at)`.execute(db);
  await sql`create index incidents_by_end on ${table("incidents")} (resolved_at) where resolved_at is not null`.execute(
    db,
  );
}

/** For mutes that outlast the last incident of a cause. */
async function findByCause(db: Kysely<AnyTables>): Promise<void> {
  await sql`create index incidents_by_cause on ${table("incidents")} (organization_id, fingerprint, id)`.execute(db);
}

/** Channels that need more than an address. */
async function addChannelSettings(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("alert_channels")}
    add column sealed_key text, add column settings jsonb not null default '{}'`.execute(db);
}

/** Incidents that no test has failed for. */
async function allowDocumentIncidents(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("incidents")} alter column failure drop not null, add column reason text`.execute(db);
}

export const migrations: Record<string, Migration> = {
  // Created tables for data that the executioner stores now; the executioner drops them.
  "001-executions": { up: async () => {} },
  "002-channels": { up: createChannels },
  "003-rules": { up: createRules },
  // Created incident tables in an earlier form, before any row was written.
  "004-incidents": { up: async () => {} },
  "005-audit": { up: createAuditTable(schemaName) },
  "006-inbox": { up: createInboxTable(schemaName) },
  "007-marks": { up: createMarks },
  "008-idempotency-keys": { up: createKeyTable({ schema: schemaName, column: "mark_id" }) },
  "009-incidents": { up: createIncidents },
  "010-entries-by-api": { up: addApiToEntries },
  "011-service-levels": { up: createServiceLevels },
  "012-certificates": { up: createCertificates },
  "013-status-pages": { up: createStatusPages },
  "014-keys-of-anything": { up: nameKeysOfAnything },
  "015-ages": { up: findByAge },
  "016-until-of-entries": { up: addUntilToEntries },
  "017-messages-of-status-pages": { up: addMessages },
  "018-burn-of-service-levels": { up: addBurn },
  "019-audit-by-words": { up: indexAuditRecordTerms(schemaName) },
  "020-ended-organizations": { up: createEndedTable(schemaName) },
  "021-audit-chain": { up: chainAuditRecords(schemaName) },
  "022-quicker-audit": { up: indexAuditRecordKinds(schemaName) },
  "023-incidents-by-cause": { up: findByCause },
  "024-letters": { up: createEmailTable(schemaName) },
  "025-queued-alerts": { up: keepWhenQueued },
  "036-recoveries": { up: addRecoveries },
  "037-code": {
    up: createCodeTables(schemaName, [
      { kind: "alertChannel", table: "alert_channels", idColumn: "id" },
      { kind: "alertRule", table: "alert_rules", idColumn: "id" },
      { kind: "serviceLevel", table: "service_levels", idColumn: "test_circle_id" },
      { kind: "statusPage", table: "status_pages", idColumn: "test_circle_id" },
    ]),
  },
  "038-document-incidents": { up: allowDocumentIncidents },
  "039-components-of-status-pages": { up: createComponents },
  "040-updates-of-status-pages": { up: createUpdates },
  "041-channel-settings": { up: addChannelSettings },
  "042-audit-by-names": { up: indexAuditRecordNames(schemaName) },
};
