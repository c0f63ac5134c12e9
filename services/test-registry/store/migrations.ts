import { type Kysely, type Migration, sql } from "kysely";
import { chainAuditRecords, indexAuditRecordKinds } from "../../kit/audit/audit-chain.ts";
import { indexAuditRecordNames, indexAuditRecordTerms } from "../../kit/audit/audit-search.ts";
import { createAuditTable } from "../../kit/audit/audit-table.ts";
import type { AnyTables } from "../../kit/database/database.ts";
import { createDeliveryTable } from "../../kit/events/delivery-table.ts";
import { createInboxTable } from "../../kit/events/inbox.ts";
import { publishRows } from "../../kit/events/publish-rows.ts";
import { createKeyTable } from "../../kit/idempotency/idempotency-key.ts";
import { createEndedTable } from "../../kit/organization/ended-table.ts";
import { createPlanTable } from "../../kit/plan/plan-table.ts";
import { addNamedCredentials } from "./affected-tests.ts";
import { createCalendars } from "./calendars.ts";
import { addCircleCookies } from "./circle-cookie-migration.ts";
import { addCircleLocations, addCirclePlaces } from "./circle-location-migration.ts";
import { addOnlyOwn } from "./circle-only-own-migration.ts";
import { addSettingsVersion } from "./circle-settings.ts";
import { createCircles } from "./circle-tables.ts";
import { createCode } from "./code-migration.ts";
import { addDefinitionVersion } from "./definitions.ts";
import { createFiles } from "./file-tables.ts";
import { createImportAttempts } from "./import-attempts.ts";
import { createImportedObjects, rememberEnvironments } from "./imported-objects.ts";
import { createImports } from "./imports.ts";
import { addMovedBy } from "./moved-tests.ts";
import { addNameKeys } from "./name-key-migrations.ts";
import { createProposals } from "./proposal-migration.ts";
import { addCapturedNames, addReferencedNames } from "./referenced-names.ts";
import { createSchedules } from "./schedule-tables.ts";
import { findTestsByWords } from "./search.ts";
import { keyTable, schemaName } from "./tables.ts";

const tests = sql.id(schemaName, "tests");

async function createTests(db: Kysely<AnyTables>): Promise<void> {
  // `json`, not `jsonb`: preserves member order of schemas and targets, and NUL characters in bodies.
  await sql`
    create table ${tests} (
      id uuid primary key,
      organization_id uuid not null,
      api_id uuid not null,
      name text not null,
      method text not null,
      path text not null,
      enabled boolean not null,
      tags jsonb not null,
      definition json not null,
      version integer not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  // One for each order of the list; the first also serves the counts. Code point order is the same on every system.
  await sql`create index tests_name on ${tests} (organization_id, api_id, (lower(name) collate "C"), id)`.execute(db);
  await sql`create index tests_path on ${tests} (organization_id, api_id, (path collate "C"), (method collate "C"), id)`.execute(
    db,
  );
  await sql`create index tests_updated on ${tests} (organization_id, api_id, updated_at, id)`.execute(db);
  await sql`create index tests_enabled on ${tests} (organization_id, api_id, enabled)`.execute(db);
}

export const migrations: Record<string, Migration> = {
  "001-tests": { up: createTests },
  "002-events": { up: createDeliveryTable(schemaName) },
  "003-audit": { up: createAuditTable(schemaName) },
  "004-usage-of-tests": {
    up: publishRows({
      schema: schemaName,
      consumer: "portal-service",
      type: "test.created",
      rows: sql`select organization_id, 'api/' || api_id as resource,
        json_build_object('apiId', api_id, 'testId', id) as payload from ${tests}`,
    }),
  },
  "005-idempotency-keys": { up: createKeyTable(keyTable) },
  "006-definition-version": { up: addDefinitionVersion },
  "007-circles": { up: createCircles },
  "008-schedules": { up: createSchedules },
  "009-named-credentials": { up: addNamedCredentials },
  "010-calendars": { up: createCalendars },
  "011-plans": {
    up: createPlanTable(schemaName, sql`select organization_id, count(*) as used from ${tests} group by 1`),
  },
  "012-audit-by-words": { up: indexAuditRecordTerms(schemaName) },
  "013-ended-organizations": { up: createEndedTable(schemaName) },
  "014-audit-chain": { up: chainAuditRecords(schemaName) },
  "015-name-keys": { up: addNameKeys },
  "016-asked-names": { up: addReferencedNames },
  "017-quicker-audit": { up: indexAuditRecordKinds(schemaName) },
  "018-settings-version": { up: addSettingsVersion },
  "038-circle-cookies": { up: addCircleCookies },
  "039-files": { up: createFiles },
  "040-only-own": { up: addOnlyOwn },
  "041-received-events": { up: createInboxTable(schemaName) },
  "042-moved-by": { up: addMovedBy },
  "043-test-proposals": { up: createProposals },
  "044-code": { up: createCode },
  "045-imports": { up: createImports },
  "047-search": { up: findTestsByWords },
  "048-captured-names": { up: addCapturedNames },
  "049-circle-locations": { up: addCircleLocations },
  "050-imported-objects": { up: createImportedObjects },
  "051-audit-by-names": { up: indexAuditRecordNames(schemaName) },
  "052-import-attempts": { up: createImportAttempts },
  "053-imported-environments": { up: rememberEnvironments },
  "054-circle-places": { up: addCirclePlaces },
};
