import { type Kysely, type RawBuilder, sql } from "kysely";
import { type PlanLimits, type PlanStatus, planStatus } from "#contracts/kit/plan.ts";
import { type AnyTables, json } from "../database/database.ts";
import type { InTransaction } from "../database/pipeline.ts";

/**
 * A service's copy of an organization's plan: the last reported one, and the usage counted against it. One row each.
 */
export interface PlanTables {
  plan_standings: {
    organization_id: string;
    /** Version of the last reported plan; 0 before the first. */
    version: number;
    /** JSON; parsed by `planStanding`. */
    standing: unknown;
    used: number;
    /** For subjects counted by month: the month of `used`, such as `2026-04`. */
    month: string | null;
  };
}

export const planTable = (schema: string) => sql.id(schema, "plan_standings");

/**
 * Migration step of each service that enforces plans.
 * @param counted current usage: rows with `organization_id` and `used`
 */
export function createPlanTable(schema: string, counted?: RawBuilder<unknown>) {
  return async (db: Kysely<AnyTables>): Promise<void> => {
    await sql`
      create table ${planTable(schema)} (
        organization_id uuid primary key,
        version bigint not null default 0,
        standing jsonb,
        used bigint not null default 0,
        month text
      )`.execute(db);
    if (!counted) return;
    await sql`
      insert into ${planTable(schema)} (organization_id, used)
      select organization_id, used from (${counted}) as counted`.execute(db);
  };
}

export interface KnownPlan extends PlanStatus {
  used: number;
  month: string | null;
}

interface PlanRow {
  organization_id: string;
  standing: unknown;
  used: number;
  month: string | null;
}

const readRow = ({ standing: status, used, month }: PlanRow): KnownPlan => ({
  ...planStatus.parse(status),
  used,
  month,
});

/** The limit of a counted subject; null: unlimited. */
export const limitExpression = (subject: keyof PlanLimits) =>
  sql`cast(standing -> 'plan' -> 'limits' ->> ${sql.lit(subject)} as bigint)`;

/** Undefined before a plan was reported. */
export async function findPlan(
  db: Kysely<AnyTables> | InTransaction,
  schema: string,
  organizationId: string,
): Promise<KnownPlan | undefined> {
  return (await findPlans(db, schema, [organizationId])).get(organizationId);
}

/** Plans of several organizations, by their ids. */
export async function findPlans(
  db: Kysely<AnyTables> | InTransaction,
  schema: string,
  organizationIds: string[],
): Promise<Map<string, KnownPlan>> {
  const { rows } = await sql<PlanRow>`
    select organization_id, standing, used, month from ${planTable(schema)}
    where organization_id = any(${organizationIds}::uuid[]) and version > 0`.execute(db);
  return new Map(rows.map((row) => [row.organization_id, readRow(row)]));
}

/** Stores a reported plan, unless a newer version is stored. */
export async function storePlan(
  db: Kysely<AnyTables>,
  schema: string,
  organizationId: string,
  status: PlanStatus,
): Promise<void> {
  await sql`
    insert into ${planTable(schema)} as known (organization_id, version, standing)
    values (${organizationId}::uuid, ${status.version}::bigint, ${json(status)})
    on conflict (organization_id) do update set version = excluded.version, standing = excluded.standing
    where known.version < excluded.version`.execute(db);
}

/**
 * Counts up unless the limit would be exceeded; concurrent counts are serialized by the row. @returns whether it fits
 */
export async function countUp(
  transaction: InTransaction,
  schema: string,
  { organizationId, subject, by }: { organizationId: string; subject: keyof PlanLimits; by: number },
): Promise<boolean> {
  const { rows } = await sql`
    update ${planTable(schema)} set used = used + ${by}::bigint
    where organization_id = ${organizationId}::uuid
      and (${limitExpression(subject)} is null or used + ${by}::bigint <= ${limitExpression(subject)})
    returning used`.execute(transaction);
  return rows.length > 0;
}

export async function countDown(
  transaction: InTransaction,
  schema: string,
  { organizationId, by }: { organizationId: string; by: number },
): Promise<void> {
  await sql`
    update ${planTable(schema)} set used = greatest(used - ${by}::bigint, 0)
    where organization_id = ${organizationId}::uuid`.execute(transaction);
}
