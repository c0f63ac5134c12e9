import { type Kysely, type Migration, sql } from "kysely";
import { chainAuditRecords, indexAuditRecordKinds } from "../../kit/audit/audit-chain.ts";
import { indexAuditRecordNames, indexAuditRecordTerms } from "../../kit/audit/audit-search.ts";
import { createAuditTable } from "../../kit/audit/audit-table.ts";
import type { AnyTables } from "../../kit/database/database.ts";
import { createDeliveryTable } from "../../kit/events/delivery-table.ts";
import { publishRows } from "../../kit/events/publish-rows.ts";
import { createEmailTable } from "../../kit/mail/email-table.ts";
import { createPlanTable } from "../../kit/plan/plan-table.ts";
import { addAccessChangeTables } from "./access-change-migrations.ts";
import { mailLinksToNewAddresses } from "./account-migrations.ts";
import { createApiTokens } from "./api-token-migrations.ts";
import { keepAgesOfSecrets } from "./credential-migrations.ts";
import { addUnsafeMethods, createAuthorizationConfigs, createDomains } from "./domain-migrations.ts";
import { prepareEnds } from "./end-migrations.ts";
import { findCredentialsByWords, findDomainsByWords } from "./list-migrations.ts";
import { createInvitations, createMailedLinks, createSpentHumanChecks } from "./mailed-link-migrations.ts";
import { organizationWords } from "./organizations.ts";
import { createPasskeys } from "./passkey-migrations.ts";
import { addProviderSessionColumns } from "./provider-session-migrations.ts";
import { requireSecondFactors } from "./required-factor-migrations.ts";
import { findMembersByWords, rememberInvitations } from "./search-migrations.ts";
import { createSecondFactors } from "./second-factor-migrations.ts";
import { keepAccountsApart } from "./separation-migrations.ts";
import { createSettings } from "./setting-migrations.ts";
import { createSingleSignOn } from "./single-sign-on-migrations.ts";
import { schemaName } from "./tables.ts";
import { addTimeZones } from "./time-zone-migrations.ts";
import { createTracing } from "./tracing.ts";
import { addSecretReferences } from "./vault-connections.ts";

const table = (name: string) => sql.id(schemaName, name);

async function createAccounts(db: Kysely<AnyTables>): Promise<void> {
  await db.schema
    .createTable("organizations")
    .addColumn("id", "uuid", (column) => column.primaryKey())
    .addColumn("kind", "text", (column) => column.notNull().check(sql`kind in ('individual', 'organization')`))
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("users")
    .addColumn("id", "uuid", (column) => column.primaryKey())
    .addColumn("username", "text", (column) => column.notNull())
    .addColumn("username_key", "text", (column) => column.notNull().unique())
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("full_name", "text", (column) => column.notNull())
    .addColumn("password_hash", "text", (column) => column.notNull())
    .addColumn("disabled_at", "timestamptz")
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .execute();
  await sql`
    create table ${table("memberships")} (
      user_id uuid not null references ${table("users")} on delete cascade,
      organization_id uuid not null references ${table("organizations")} on delete cascade,
      roles text[] not null,
      created_at timestamptz not null,
      primary key (user_id, organization_id)
    )`.execute(db);
  await sql`create index memberships_organization on ${table("memberships")} (organization_id, user_id)`.execute(db);
}

async function createSessions(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("sessions")} (
      id uuid primary key,
      user_id uuid not null references ${table("users")} on delete cascade,
      organization_id uuid not null references ${table("organizations")} on delete cascade,
      user_agent text not null,
      created_at timestamptz not null,
      last_used_at timestamptz not null,
      expires_at timestamptz not null,
      ended_at timestamptz,
      ended_because text
    )`.execute(db);
  await sql`create index sessions_of_user on ${table("sessions")} (user_id, id desc) where ended_at is null`.execute(
    db,
  );
  // For the hourly purge.
  await sql`create index sessions_expiry on ${table("sessions")} (expires_at)`.execute(db);
  await sql`
    create table ${table("refresh_tokens")} (
      hash text primary key,
      session_id uuid not null references ${table("sessions")} on delete cascade,
      created_at timestamptz not null,
      used_at timestamptz
    )`.execute(db);
  await sql`create index refresh_tokens_session on ${table("refresh_tokens")} (session_id)`.execute(db);
  await sql`create table ${table("login_tries")} (key text primary key, tried_at timestamptz[] not null)`.execute(db);
}

async function createSigningKeys(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("signing_keys")} (
      id text primary key,
      public_jwk jsonb not null,
      sealed_private_jwk text not null,
      state text not null check (state in ('active', 'retired')),
      created_at timestamptz not null
    )`.execute(db);
  // One key signs; retired ones still verify. Two replicas starting at once can't both install theirs.
  await sql`create unique index signing_keys_one_active on ${table("signing_keys")} (state) where state = 'active'`.execute(
    db,
  );
}

async function createCredentials(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("credentials")} (
      id uuid primary key,
      organization_id uuid not null references ${table("organizations")} on delete cascade,
      name text not null,
      domain text not null,
      type text not null,
      settings jsonb not null,
      sealed_secret text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  // Serves the list (sorted by name, which is unique and therefore its own cursor) and enforces uniqueness.
  await sql`create unique index credentials_name on ${table("credentials")} (organization_id, lower(name))`.execute(db);
  await sql`create index credentials_domain on ${table("credentials")} (organization_id, domain, lower(name))`.execute(
    db,
  );
}

async function createKnownPlaces(db: Kysely<AnyTables>): Promise<void> {
  await sql`create table ${table("known_places")} (key text primary key, last_used_at timestamptz not null)`.execute(
    db,
  );
}

async function addEmailKeysAndPlans(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("organizations")} add column service_id text`.execute(db);
  await sql`alter table ${table("users")} add column email_key text not null default ''`.execute(db);
  await sql`update ${table("users")} set email_key = lower(email)`.execute(db);
  await sql`create unique index users_email on ${table("users")} (email_key) where email_key <> ''`.execute(db);
}

async function listMembersByName(db: Kysely<AnyTables>): Promise<void> {
  const memberships = table("memberships");
  await sql`alter table ${memberships} add column username_key text`.execute(db);
  await sql`
    update ${memberships} set username_key = users.username_key from ${table("users")} users
    where users.id = user_id`.execute(db);
  await sql`alter table ${memberships} alter column username_key set not null`.execute(db);
  await sql`create unique index memberships_by_name on ${memberships} (organization_id, username_key)`.execute(db);
  await sql`drop index ${table("memberships_organization")}`.execute(db);
}

/** Finds the installation's operators, a handful, among 100,000 members. */
async function indexOperators(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create index memberships_operators on ${table("memberships")} (organization_id)
      where 'SYSTEM_ADMIN' = any(roles)`.execute(db);
}

/** For operators, who search all organizations by name. */
async function findOrganizationsByWords(db: Kysely<AnyTables>): Promise<void> {
  await sql`create index organizations_words on ${table("organizations")} using gin (${organizationWords})`.execute(db);
}

export const migrations: Record<string, Migration> = {
  "001-accounts": { up: createAccounts },
  "002-sessions": { up: createSessions },
  "003-signing-keys": { up: createSigningKeys },
  "004-credentials": { up: createCredentials },
  "005-known-places": { up: createKnownPlaces },
  "006-email-keys-and-plans": { up: addEmailKeysAndPlans },
  "007-mailed-links": { up: createMailedLinks },
  "008-invitations": { up: createInvitations },
  "020-spent-human-checks": { up: createSpentHumanChecks },
  "021-members-by-name": { up: listMembersByName },
  "022-audit": { up: createAuditTable(schemaName) },
  "023-events": { up: createDeliveryTable(schemaName) },
  "024-usage-of-members": {
    up: publishRows({
      schema: schemaName,
      consumer: "portal-service",
      type: "user.created",
      rows: sql`select organization_id, 'user/' || user_id as resource,
        json_build_object('userId', user_id, 'roles', roles) as payload from ${table("memberships")}`,
    }),
  },
  "025-access-changes": { up: addAccessChangeTables },
  "026-members-by-words": { up: findMembersByWords },
  "027-remembered-invitations": { up: rememberInvitations },
  "028-operators": { up: indexOperators },
  "029-usage-of-disabled-members": {
    up: publishRows({
      schema: schemaName,
      consumer: "portal-service",
      type: "user.changed",
      rows: sql`select organization_id, 'user/' || user_id as resource,
        json_build_object('userId', user_id, 'disabled', true) as payload
        from ${table("memberships")} join ${table("users")} users on users.id = user_id
        where users.disabled_at is not null`,
    }),
  },
  "030-plans": { up: createPlanTable(schemaName) },
  "031-organizations-by-words": { up: findOrganizationsByWords },
  "032-domains": { up: createDomains },
  "033-new-addresses": { up: mailLinksToNewAddresses },
  "034-api-tokens": { up: createApiTokens },
  "035-settings": { up: createSettings },
  "036-ages-of-secrets": { up: keepAgesOfSecrets },
  "037-authorization-configs": { up: createAuthorizationConfigs },
  "038-audit-by-words": { up: indexAuditRecordTerms(schemaName) },
  "039-second-factors": { up: createSecondFactors },
  "040-unsafe-methods": { up: addUnsafeMethods },
  "041-ended-organizations": { up: prepareEnds },
  "042-audit-chain": { up: chainAuditRecords(schemaName) },
  "043-required-second-factors": { up: requireSecondFactors },
  "044-passkeys": { up: createPasskeys },
  "045-single-sign-on": { up: createSingleSignOn },
  "046-accounts-apart": { up: keepAccountsApart },
  "047-provider-sessions": { up: addProviderSessionColumns },
  "048-domains-by-words": { up: findDomainsByWords },
  "049-credentials-by-words": { up: findCredentialsByWords },
  "050-time-zones": { up: addTimeZones },
  "051-quicker-audit": { up: indexAuditRecordKinds(schemaName) },
  "052-letters": { up: createEmailTable(schemaName) },
  "053-tracing": { up: createTracing },
  "054-secret-references": { up: addSecretReferences },
  "055-audit-by-names": { up: indexAuditRecordNames(schemaName) },
};
