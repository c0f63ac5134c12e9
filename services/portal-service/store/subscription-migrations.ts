import { type Kysely, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

export async function createSubscriptions(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("provider_plans")} (
      service_id text not null references ${table("services")} (id),
      price_minor bigint not null,
      price_currency text not null,
      request_id uuid not null,
      provider_id text,
      primary key (service_id, price_minor, price_currency)
    )`.execute(db);
  await sql`
    create table ${table("subscriptions")} (
      id uuid primary key,
      organization_id uuid not null,
      user_id uuid not null,
      service_id text not null references ${table("services")} (id),
      price_minor bigint not null,
      price_currency text not null,
      state text not null check (state in ('PENDING_APPROVAL', 'ACTIVE', 'SUSPENDED', 'CANCELLED', 'EXPIRED')),
      state_changed_at timestamptz not null,
      provider_id text unique,
      provider_plan_id text,
      approve_url text,
      approval_hash text unique,
      superseded boolean not null default false,
      next_billing_at timestamptz,
      paid_until timestamptz,
      failed_payments integer not null default 0,
      asked bigint not null default 0,
      answered bigint not null default 0,
      hinted_at timestamptz,
      ask_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  // Two tabs, a double click: an organization has one live subscription.
  await sql`
    create unique index subscriptions_live on ${table("subscriptions")} (organization_id)
      where state in ('PENDING_APPROVAL', 'ACTIVE', 'SUSPENDED') and not superseded`.execute(db);
  await sql`
    create index subscriptions_of_organization on ${table("subscriptions")} (organization_id, id desc)`.execute(db);
  await sql`
    create index subscriptions_to_ask on ${table("subscriptions")} (ask_at) where ask_at is not null`.execute(db);
  await sql`
    create table ${table("subscription_entries")} (
      id uuid primary key,
      subscription_id uuid not null references ${table("subscriptions")} (id),
      organization_id uuid not null,
      at timestamptz not null,
      state text not null,
      text text not null,
      user_id uuid
    )`.execute(db);
  await sql`
    create index subscription_entries_of on ${table("subscription_entries")}
      (organization_id, subscription_id, id desc)`.execute(db);
  await sql`
    create table ${table("payments")} (
      id text primary key,
      subscription_id uuid not null references ${table("subscriptions")} (id),
      organization_id uuid not null,
      service_id text not null,
      amount_minor bigint not null,
      currency text not null,
      state text not null,
      paid_at timestamptz not null
    )`.execute(db);
  await sql`
    create index payments_of_organization on ${table("payments")} (organization_id, paid_at desc, id desc)`.execute(db);
  await sql`
    create table ${table("webhook_deliveries")} (
      id text primary key,
      event_type text not null,
      provider_id text,
      subscription_id uuid,
      times integer not null,
      received_at timestamptz not null
    )`.execute(db);
  await sql`
    create index webhook_deliveries_newest on ${table("webhook_deliveries")} (received_at desc, id desc)`.execute(db);
}

export async function addCancelling(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    alter table ${table("subscriptions")} add column cancel_asked_at timestamptz, add column cancel_asked_by uuid`.execute(
    db,
  );
}

export async function createPlanChanges(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    alter table ${table("subscriptions")}
      add column next_service_id text references ${table("services")} (id),
      add column next_price_minor bigint,
      add column next_price_currency text,
      add column next_plan_at timestamptz`.execute(db);
  await sql`
    create table ${table("plan_changes")} (
      id uuid primary key,
      subscription_id uuid not null references ${table("subscriptions")} (id),
      organization_id uuid not null,
      user_id uuid not null,
      service_id text not null references ${table("services")} (id),
      price_minor bigint not null,
      price_currency text not null,
      state text not null check (state in ('PENDING_APPROVAL', 'APPROVED', 'WITHDRAWN')),
      provider_plan_id text,
      approve_url text,
      approval_hash text unique,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  // Two tabs: a subscription has one pending change.
  await sql`
    create unique index plan_changes_open on ${table("plan_changes")} (organization_id, subscription_id)
      where state = 'PENDING_APPROVAL'`.execute(db);
}

export async function createBillingAddresses(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("billing_addresses")} (
      organization_id uuid primary key,
      address jsonb not null,
      updated_at timestamptz not null
    )`.execute(db);
}
