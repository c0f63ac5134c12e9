import { type Kysely, type Migration, sql } from "kysely";
import { chainAuditRecords } from "../../kit/audit/audit-chain.ts";
import { findAuditRecordsByWords } from "../../kit/audit/audit-search.ts";
import { createAuditTable } from "../../kit/audit/audit-table.ts";
import type { AnyTables } from "../../kit/database/database.ts";
import { createDeliveryTable } from "../../kit/events/delivery-table.ts";
import { tellOfRows } from "../../kit/events/tell-of-rows.ts";
import { createPlanTable } from "../../kit/plan/plan-table.ts";
import { mailLinksToNewAddresses } from "./account-migrations.ts";
import { createApiTokens } from "./api-token-migrations.ts";
import { keepAgesOfSecrets } from "./credential-migrations.ts";
import { addUnsafeMethods, createAuthorizationConfigs, createDomains } from "./domain-migrations.ts";
import { prepareEnds } from "./end-migrations.ts";
import { organizationWords } from "./organizations.ts";
import { requireSecondFactors } from "./required-factor-migrations.ts";
import { findMembersByWords, rememberInvitations } from "./search-migrations.ts";
import { createSecondFactors } from "./second-factor-migrations.ts";
import { createSettings } from "./setting-migrations.ts";
import { schemaName } from "./tables.ts";

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
  // What the hourly purge walks along.
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
  // Carries the list (sorted by name, which is unique and so its own cursor) and the rule at once.
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

async function createMailedLinks(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("registrations")} (
      id uuid primary key,
      organization_name text,
      service_id text,
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index registrations_expiry on ${table("registrations")} (expires_at)`.execute(db);
  await sql`
    create table ${table("mailed_links")} (
      id uuid primary key,
      token_hash text not null unique,
      purpose text not null check (purpose in ('registration', 'invitation', 'password_reset')),
      subject_id uuid,
      email text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz,
      tries integer not null default 0,
      code_hash text,
      code_expires_at timestamptz,
      code_tries integer not null default 0,
      codes_sent_at timestamptz[] not null default '{}'
    )`.execute(db);
  await sql`create index mailed_links_subject on ${table("mailed_links")} (subject_id)`.execute(db);
  await sql`create index mailed_links_expiry on ${table("mailed_links")} (expires_at)`.execute(db);
}

async function createInvitations(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("invitations")} (
      id uuid primary key,
      organization_id uuid not null references ${table("organizations")} on delete cascade,
      email text not null,
      email_key text not null,
      roles text[] not null,
      invited_by uuid references ${table("users")} on delete set null,
      status text not null check (status in ('PENDING', 'SENT', 'ACCEPTED', 'CANCELLED', 'EXPIRED')),
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index invitations_newest on ${table("invitations")} (organization_id, id desc)`.execute(db);
  // One open invitation an address; also what the badge with the number of open ones counts along.
  await sql`
    create unique index invitations_open on ${table("invitations")} (organization_id, email_key)
    where status in ('PENDING', 'SENT')`.execute(db);
  // Deleting a user looks for their invitations.
  await sql`create index invitations_inviter on ${table("invitations")} (invited_by)`.execute(db);
}

async function createSpentHumanChecks(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("spent_human_checks")} (signature text primary key, expires_at timestamptz not null)`.execute(
    db,
  );
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

/**
 * Triggers, so that every way a session ends or a role changes is told in its own transaction, whichever code does it: a
 * cascade, or an older version that runs beside this one.
 */
async function tellAccessChanges(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("access_changes")} (
      changed_in xid8 not null default pg_current_xact_id(),
      changed_at timestamptz not null default now(),
      session_id uuid,
      user_id uuid,
      organization_id uuid
    )`.execute(db);
  await sql`create index access_changes_in_order on ${table("access_changes")} (changed_in)`.execute(db);
  await sql`
    create function ${table("tell_ended_session")}() returns trigger language plpgsql as $$
    begin
      insert into security_service.access_changes (session_id) values (old.id);
      perform pg_notify('access_changes', '');
      return null;
    end $$`.execute(db);
  await sql`
    create function ${table("tell_changed_roles")}() returns trigger language plpgsql as $$
    begin
      insert into security_service.access_changes (user_id, organization_id) values (old.user_id, old.organization_id);
      perform pg_notify('access_changes', '');
      return null;
    end $$`.execute(db);
  await sql`
    create trigger tell_ended_session after update of ended_at on ${table("sessions")} for each row
    when (old.ended_at is null and new.ended_at is not null)
    execute function ${table("tell_ended_session")}()`.execute(db);
  await sql`
    create trigger tell_deleted_session after delete on ${table("sessions")} for each row
    when (old.ended_at is null and old.expires_at > now())
    execute function ${table("tell_ended_session")}()`.execute(db);
  await sql`
    create trigger tell_changed_roles after update of roles on ${table("memberships")} for each row
    when (old.roles is distinct from new.roles)
    execute function ${table("tell_changed_roles")}()`.execute(db);
  await sql`
    create trigger tell_deleted_member after delete on ${table("memberships")} for each row
    execute function ${table("tell_changed_roles")}()`.execute(db);
}

/** Who operates the installation: a handful, whom nobody looks for among 100,000 members. */
async function indexOperators(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create index memberships_operators on ${table("memberships")} (organization_id)
      where 'SYSTEM_ADMIN' = any(roles)`.execute(db);
}

/** For the operator, who looks for an organization by its name among all. */
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
    up: tellOfRows({
      schema: schemaName,
      consumer: "portal-service",
      type: "user.created",
      rows: sql`select organization_id, 'user/' || user_id as resource,
        json_build_object('userId', user_id, 'roles', roles) as payload from ${table("memberships")}`,
    }),
  },
  "025-access-changes": { up: tellAccessChanges },
  "026-members-by-words": { up: findMembersByWords },
  "027-remembered-invitations": { up: rememberInvitations },
  "028-operators": { up: indexOperators },
  "029-usage-of-disabled-members": {
    up: tellOfRows({
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
  "038-audit-by-words": { up: findAuditRecordsByWords(schemaName) },
  "039-second-factors": { up: createSecondFactors },
  "040-unsafe-methods": { up: addUnsafeMethods },
  "041-ended-organizations": { up: prepareEnds },
  "042-audit-chain": { up: chainAuditRecords(schemaName) },
  "043-required-second-factors": { up: requireSecondFactors },
};
