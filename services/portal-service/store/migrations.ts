import { type Kysely, type Migration, sql } from "kysely";
import { chainAuditRecords, indexAuditRecordKinds } from "../../kit/audit/audit-chain.ts";
import { indexAuditRecordNames, indexAuditRecordTerms } from "../../kit/audit/audit-search.ts";
import { createAuditTable } from "../../kit/audit/audit-table.ts";
import { type AnyTables, json } from "../../kit/database/database.ts";
import { createDeliveryTable } from "../../kit/events/delivery-table.ts";
import { createInboxTable } from "../../kit/events/inbox.ts";
import { createEmailTable } from "../../kit/mail/email-table.ts";
import { createEndedTable } from "../../kit/organization/ended-table.ts";
import { countSubscriptionsByMonth } from "./month-count-migrations.ts";
import { readMonthsByRange } from "./monthly-migrations.ts";
import { addActionColumns, addDeliveryColumns, listSubscriptionsOfAll } from "./operator-migrations.ts";
import { createOrganizationPlans } from "./organization-plans.ts";
import { letOperatorsPlan } from "./plan-migrations.ts";
import { createReconciliations } from "./reconciliation-migrations.ts";
import { createRefunds } from "./refund-migrations.ts";
import {
  addCancelling,
  createBillingAddresses,
  createPlanChanges,
  createSubscriptions,
} from "./subscription-migrations.ts";
import { schemaName } from "./tables.ts";
import { letPlansBeTried } from "./trial-migrations.ts";
import { createDailyExecutions, createSkippedRuns } from "./usage-migrations.ts";

const table = (name: string) => sql.id(schemaName, name);

/** Those of a new installation: where tests are limited, all of them can run at the shortest interval all month. */
const firstPlans = [
  {
    id: "free",
    name: "Free",
    description: "For trying it out and for one person.",
    price: "0.00",
    limits: {
      apis: 2,
      tests: 25,
      executionsPerMonth: 20_000,
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
      tests: 250,
      executionsPerMonth: 2_500_000,
      shortestIntervalSeconds: 300,
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
      executionsPerMonth: 10_000_000,
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
  // Two tabs that open at once both find none: one of them creates it.
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

async function createDisabledMembers(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table("disabled_members")} (
      organization_id uuid not null,
      user_id uuid not null,
      primary key (organization_id, user_id)
    )`.execute(db);
}

/** A limit is reported once per period, a subscription's state once per subscription. */
async function addLimitNotices(db: Kysely<AnyTables>): Promise<void> {
  const notifications = table("notifications");
  await sql`alter table ${notifications} add column about text not null default ''`.execute(db);
  await sql`drop index ${table("notifications_once")}`.execute(db);
  await sql`
    create unique index notifications_once on ${notifications}
      (organization_id, user_id, template, coalesce(subscription_id, ''), about)`.execute(db);
  // Choosing a plan is no longer requested: an organization without one is on the free one.
  await sql`
    update ${notifications} set state = 'COMPLETED', returns_at = null
    where template = 'choose-plan' and state in ('NEW', 'PENDING', 'SKIPPED')`.execute(db);
}

/** Only of a plan that still has the first words: operators' own stay. */
async function describeBusinessPlan(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    update ${table("services")} set description = ${"For many teams and APIs, with long retention."}
    where id = 'business' and description = ${firstPlans.find(({ id }) => id === "business")!.description}`.execute(db);
}

export const migrations: Record<string, Migration> = {
  "001-services": { up: createServices },
  "002-notifications": { up: createNotifications },
  "003-received-events": { up: createInboxTable(schemaName) },
  "004-usage": { up: createUsage },
  "005-kept-forms": { up: createKeptForms },
  "006-audit": { up: createAuditTable(schemaName) },
  "007-subscriptions": { up: createSubscriptions },
  "008-cancelling": { up: addCancelling },
  "009-organization-plans": { up: createOrganizationPlans },
  "010-events": { up: createDeliveryTable(schemaName) },
  "011-disabled-members": { up: createDisabledMembers },
  "012-announced-limits": { up: addLimitNotices },
  "013-plan-changes": { up: createPlanChanges },
  "014-billing-addresses": { up: createBillingAddresses },
  "015-subscriptions-of-all": { up: listSubscriptionsOfAll },
  "016-deliveries": { up: addDeliveryColumns },
  "017-daily-executions": { up: createDailyExecutions },
  "018-operated-plans": { up: letOperatorsPlan },
  "019-refunds": { up: createRefunds },
  "020-skipped-runs": { up: createSkippedRuns },
  "021-audit-by-words": { up: indexAuditRecordTerms(schemaName) },
  "022-reconciliations": { up: createReconciliations },
  "023-ended-organizations": { up: createEndedTable(schemaName) },
  "024-audit-chain": { up: chainAuditRecords(schemaName) },
  "025-trials": { up: letPlansBeTried },
  "026-monthly-ranges": { up: readMonthsByRange },
  "027-monthly-subscriptions": { up: countSubscriptionsByMonth },
  "028-quicker-audit": { up: indexAuditRecordKinds(schemaName) },
  "029-letters": { up: createEmailTable(schemaName) },
  "030-open-deeds": { up: addActionColumns },
  "031-audit-by-names": { up: indexAuditRecordNames(schemaName) },
  "032-business-plan": { up: describeBusinessPlan },
};
