import { z } from "@hono/zod-openapi";
import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { type PlanStatus, planStatus } from "#contracts/kit/plan.ts";
import { type AnyTables, type Executor, json } from "../../kit/database/database.ts";
import { type NearLimit, nearSubjects } from "../domain/plan-status.ts";
import { plansLock } from "./operated-plans.ts";
import { type PortalTables, schemaName } from "./tables.ts";

type Db = Executor<PortalTables>;

const plans = sql.id(schemaName, "organization_plans");

const nearLimits = z.array(
  z.object({ subject: z.enum(nearSubjects), period: z.string(), used: z.number(), limit: z.number() }),
);

/** An organization's plan as last sent to other services. */
export interface OrganizationPlan extends PlanStatus {
  operates: boolean;
  /** null when nothing is limited. */
  planId: string | null;
  near: NearLimit[];
  /** When it may change by date; null for never. */
  settleAt: Date | null;
}

export async function createOrganizationPlans(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${plans} (
      organization_id uuid primary key,
      operates boolean not null,
      plan_id text,
      standing jsonb not null,
      near jsonb not null,
      settle_at timestamptz
    )`.execute(db);
  await sql`create index organization_plans_to_settle on ${plans} (settle_at) where settle_at is not null`.execute(db);
  await sql`create index organization_plans_of_plan on ${plans} (plan_id)`.execute(db);
}

function readRow(row: Selectable<PortalTables["organization_plans"]>): OrganizationPlan {
  return {
    ...planStatus.parse(row.standing),
    operates: row.operates,
    planId: row.plan_id,
    near: nearLimits.parse(row.near),
    settleAt: row.settle_at,
  };
}

export async function findOrganizationPlan(db: Db, organizationId: string): Promise<OrganizationPlan | undefined> {
  const row = await db
    .selectFrom("organization_plans")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  return row && readRow(row);
}

/**
 * Serializes updates of an organization's plan, also with changes of plan limits; later reads see the previous
 * update.
 */
export async function lockPlan(transaction: Transaction<PortalTables>, organizationId: string): Promise<void> {
  await sql`
    select pg_advisory_xact_lock_shared(${plansLock}), pg_advisory_xact_lock(hashtextextended(${organizationId}, 3370914))
  `.execute(transaction);
}

export async function putOrganizationPlan(db: Db, organizationId: string, plan: OrganizationPlan): Promise<void> {
  const { operates, planId, near, settleAt, ...status } = plan;
  const columns = { operates, plan_id: planId, standing: json(status), near: json(near), settle_at: settleAt };
  await db
    .insertInto("organization_plans")
    .values({ organization_id: organizationId, ...columns })
    .onConflict((conflict) => conflict.column("organization_id").doUpdateSet(columns))
    .execute();
}

/** Organizations whose plan may have changed by now. */
export async function listToSettle(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("organization_plans")
    .select("organization_id")
    .where("settle_at", "<=", now)
    .orderBy("settle_at")
    .limit(limit)
    .execute();
  return rows.map(({ organization_id }) => organization_id);
}

/** A plan's limits changed: each organization on it is updated, one after the other. */
export async function settleAllOn(db: Db, planId: string, now: Date): Promise<void> {
  await db.updateTable("organization_plans").set({ settle_at: now }).where("plan_id", "=", planId).execute();
}
