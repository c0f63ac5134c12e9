import { type Kysely, type Migration, sql } from "kysely";
import { chainAuditRecords, indexAuditRecordKinds } from "../../kit/audit/audit-chain.ts";
import { indexAuditRecordNames, indexAuditRecordTerms } from "../../kit/audit/audit-search.ts";
import { createAuditTable } from "../../kit/audit/audit-table.ts";
import { createCodeTables } from "../../kit/code/code-tables.ts";
import type { AnyTables } from "../../kit/database/database.ts";
import { createDeliveryTable } from "../../kit/events/delivery-table.ts";
import { publishRows } from "../../kit/events/publish-rows.ts";
import { createEndedTable } from "../../kit/organization/ended-table.ts";
import { createPlanTable } from "../../kit/plan/plan-table.ts";
import { createChosenEnvironments } from "./chosen-environment-migrations.ts";
import { createLooseContents, loosenContents } from "./content-migrations.ts";
import { createDocumentWatches } from "./document-watch-migration.ts";
import { addLocations } from "./location-migration.ts";
import { createResources } from "./resource-migrations.ts";
import { findApisByWords } from "./search-migration.ts";
import { createSecretVariables } from "./secret-variables.ts";
import { createSeenDependencies } from "./seen-migration.ts";
import { separateContents } from "./separation-migrations.ts";
import { schemaName } from "./tables.ts";
import { addVariables } from "./variables.ts";

const table = (name: string) => sql.id(schemaName, name);

async function createApis(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("apis")} (
      id uuid primary key,
      organization_id uuid not null,
      name text not null,
      name_key text collate "C" not null,
      base_url text,
      tags text[] not null,
      current_document_id uuid not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  await sql`create index apis_by_name on ${table("apis")} (organization_id, name_key, id)`.execute(db);
  await sql`create index apis_by_update on ${table("apis")} (organization_id, updated_at, id)`.execute(db);
  await sql`
    create table ${table("environments")} (
      api_id uuid not null references ${table("apis")} on delete cascade,
      position integer not null,
      name text not null,
      base_url text not null,
      variables text not null,
      primary key (api_id, position)
    )`.execute(db);
}

async function createDocuments(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("documents")} (
      id uuid primary key,
      api_id uuid not null references ${table("apis")} on delete cascade,
      organization_id uuid not null,
      title text not null,
      version text not null,
      description text not null,
      specification_version text not null,
      format text not null,
      source_url text,
      file_name text,
      bytes integer not null,
      sha256 text not null,
      operation_count integer not null,
      webhook_count integer not null,
      problem_count integer not null,
      metadata text not null,
      imported_at timestamptz not null
    )`.execute(db);
  await sql`create index documents_of_api on ${table("documents")} (api_id, id desc)`.execute(db);
  await sql`
    create table ${table("document_chunks")} (
      document_id uuid not null references ${table("documents")} on delete cascade,
      position integer not null,
      deflated bytea not null,
      primary key (document_id, position)
    )`.execute(db);
  // Already compressed.
  await sql`alter table ${table("document_chunks")} alter column deflated set storage external`.execute(db);
  await sql`
    create table ${table("document_problems")} (
      document_id uuid not null references ${table("documents")} on delete cascade,
      position integer not null,
      severity text not null,
      message text not null,
      pointer text not null,
      file text,
      line integer not null,
      column_number integer not null,
      primary key (document_id, position)
    )`.execute(db);
}

async function createOperations(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("operations")} (
      document_id uuid not null references ${table("documents")} on delete cascade,
      position integer not null,
      kind text not null,
      lookup_key text not null,
      operation_id text,
      path text not null,
      method text not null,
      summary text not null,
      tags text[] not null,
      deprecated boolean not null,
      response_statuses text[] not null,
      search_text text not null,
      primary key (document_id, position)
    )`.execute(db);
  await sql`create index operations_by_key on ${table("operations")} (document_id, lookup_key)`.execute(db);
  await sql`
    create table ${table("operation_details")} (
      document_id uuid not null references ${table("documents")} on delete cascade,
      position integer not null,
      described text not null,
      security_schemes text not null,
      reach_number integer not null,
      primary key (document_id, position)
    )`.execute(db);
  await sql`
    create table ${table("components")} (
      document_id uuid not null references ${table("documents")} on delete cascade,
      ordinal integer not null,
      reference text not null,
      body text not null,
      primary key (document_id, ordinal)
    )`.execute(db);
  await sql`
    create table ${table("reaches")} (
      document_id uuid not null references ${table("documents")} on delete cascade,
      number integer not null,
      ordinals integer[] not null,
      primary key (document_id, number)
    )`.execute(db);
}

async function createOperationTags(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("operation_tags")} (
      document_id uuid not null references ${table("documents")} on delete cascade,
      tag text not null,
      position integer not null,
      primary key (document_id, tag, position)
    )`.execute(db);
  await sql`
    insert into ${table("operation_tags")}
    select distinct document_id, tag, position from ${table("operations")},
      unnest(case when cardinality(tags) = 0 then array[''] else tags end) as tagged(tag)
    where kind = 'operation'`.execute(db);
}

/** The same problem in many locations is one row. */
async function addProblemPlaces(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    alter table ${table("document_problems")}
      add column place_count integer not null default 1,
      add column other_places text`.execute(db);
}

/** Sources submitted for inspection, until they are registered or expire. */
async function createStagedSources(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("staged_sources")} (
      id uuid primary key,
      organization_id uuid not null,
      content_type text not null,
      expires_at timestamptz not null,
      complete boolean not null
    )`.execute(db);
  await sql`
    create table ${table("staged_chunks")} (
      staged_id uuid not null references ${table("staged_sources")} on delete cascade,
      position integer not null,
      deflated bytea not null,
      primary key (staged_id, position)
    )`.execute(db);
}

/**
 * On text, by its first member: PostgreSQL's JSON operators refuse a NUL or a lone surrogate, which a document may
 * contain. Quotes within a value are escaped, so no text can be mistaken for the member.
 */
async function addServerUrl(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    alter table ${table("documents")} add column server_url text
      generated always as (substring(metadata from '"resolvedUrl":"([^"\\\\]*)"')) stored`.execute(db);
}

/** On text, as `addServerUrl`: quotes within a value are escaped, so none can be mistaken for the member. */
async function addAuthentication(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    alter table ${table("documents")} add column has_security_schemes boolean not null
      generated always as (strpos(metadata, '"securitySchemes":[{') > 0) stored`.execute(db);
  await sql`alter table ${table("apis")} add column sends_host_credentials boolean`.execute(db);
}

/** Nothing is disposable until a user says so. */
async function addDisposable(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("apis")} add column is_disposable boolean not null default false`.execute(db);
}

export const migrations: Record<string, Migration> = {
  "001-apis": { up: createApis },
  "002-documents": { up: createDocuments },
  "003-operations": { up: createOperations },
  "004-operation-tags": { up: createOperationTags },
  "005-events": { up: createDeliveryTable(schemaName) },
  "006-loose-contents": { up: createLooseContents },
  "007-audit": { up: createAuditTable(schemaName) },
  "008-usage-of-apis": {
    up: publishRows({
      schema: schemaName,
      consumer: "portal-service",
      type: "api.registered",
      rows: sql`select organization_id, 'api/' || id as resource,
        json_build_object('apiId', id, 'name', name) as payload from ${table("apis")}`,
    }),
  },
  "009-places-of-problems": { up: addProblemPlaces },
  "010-staged-sources": { up: createStagedSources },
  "011-server-url": { up: addServerUrl },
  "012-contents-follow-documents": { up: loosenContents },
  "013-plans": {
    up: createPlanTable(schemaName, sql`select organization_id, count(*) as used from ${table("apis")} group by 1`),
  },
  "014-audit-by-words": { up: indexAuditRecordTerms(schemaName) },
  "015-ended-organizations": { up: createEndedTable(schemaName) },
  "016-audit-chain": { up: chainAuditRecords(schemaName) },
  "017-variables": { up: addVariables },
  "018-chosen-environments": { up: createChosenEnvironments },
  "019-contents-apart": { up: separateContents },
  "020-quicker-audit": { up: indexAuditRecordKinds(schemaName) },
  "021-resources": { up: createResources },
  "022-authentication": { up: addAuthentication },
  "023-seen-dependencies": { up: createSeenDependencies },
  "024-disposable": { up: addDisposable },
  "025-code": { up: createCodeTables(schemaName, [{ kind: "api", table: "apis", idColumn: "id" }]) },
  "026-document-watches": { up: createDocumentWatches },
  "028-search": { up: findApisByWords },
  "029-locations": { up: addLocations },
  "030-audit-by-names": { up: indexAuditRecordNames(schemaName) },
  "031-secret-variables": { up: createSecretVariables },
};
