import { type Kysely, type Migration, sql } from "kysely";
import { type AnyTables, json } from "../../kit/database/database.ts";
import { createInboxTable } from "../../kit/events/inbox.ts";
import { schemaName } from "./tables.ts";

const table = (name: string) => sql.id(schemaName, name);

const firstPlans = [
  {
    id: "free",
    name: "Free",
    description: "For trying it out and for one person.",
    price: "0.00",
    limits: {
      apis: 2,
      tests: 50,
      executionsPerMonth: 1_000,
      shortestIntervalSeconds: 3_600,
      members: 1,
      retentionDays: 7,
    },
  },
  {
    id: "team",
    name: "Team",
    description: "For a team that depends on its APIs every day.",
    price: "49.00",
    limits: {
      apis: 20,
      tests: 1_000,
      executionsPerMonth: 50_000,
      shortestIntervalSeconds: 60,
      members: 15,
      retentionDays: 90,
    },
  },
  {
    id: "business",
    name: "Business",
    description: "For many teams, many APIs and a long memory.",
    price: "199.00",
    limits: {
      apis: null,
      tests: null,
      executionsPerMonth: 500_000,
      shortestIntervalSeconds: 30,
      members: null,
      retentionDays: 365,
    },
  },
];

async function createServices(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("services")} (
      id text primary key,
      name text not null,
      description text not null,
      price_amount numeric(12, 2) not null check (price_amount >= 0),
      price_currency text not null,
      price_interval text not null check (price_interval = 'month'),
      limits jsonb not null
    )`.execute(db);
  const rows = firstPlans.map(
    ({ id, name, description, price, limits }) =>
      sql`(${id}, ${name}, ${description}, cast(${price} as numeric), 'USD', 'month', ${json(limits)})`,
  );
  await sql`insert into ${table("services")} values ${sql.join(rows)}`.execute(db);
}

async function createNotifications(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("notifications")} (
      id uuid primary key,
      organization_id uuid not null,
      user_id uuid not null,
      template text not null,
      type text not null check (type in ('ANNOUNCEMENT', 'NOTIFICATION')),
      state text not null check (state in ('NEW', 'PENDING', 'COMPLETED', 'SKIPPED', 'FAILED')),
      priority integer not null,
      summary text not null,
      description text not null,
      action text,
      subscription_id text,
      returns_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  // Two tabs that open at once both find nothing: one of them makes it.
  await sql`
    create unique index notifications_once on ${table("notifications")}
      (organization_id, user_id, template, coalesce(subscription_id, ''))`.execute(db);
  await sql`create index notifications_of_user on ${table("notifications")} (organization_id, user_id, id desc)`.execute(
    db,
  );
}

async function createUsage(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("usage_counts")} (
      organization_id uuid not null,
      subject text not null check (subject in ('apis', 'tests', 'members')),
      used bigint not null,
      primary key (organization_id, subject)
    )`.execute(db);
  await sql`
    create table ${table("monthly_executions")} (
      organization_id uuid not null,
      month text not null,
      executions bigint not null,
      primary key (organization_id, month)
    )`.execute(db);
}

async function createKeptForms(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("kept_forms")} (
      id uuid primary key,
      user_id uuid not null,
      sealed text not null,
      ends_at timestamptz not null
    )`.execute(db);
}

export const migrations: Record<string, Migration> = {
  "001-services": { up: createServices },
  "002-notifications": { up: createNotifications },
  "003-received-events": { up: createInboxTable(schemaName) },
  "004-usage": { up: createUsage },
  "005-kept-forms": { up: createKeptForms },
};
