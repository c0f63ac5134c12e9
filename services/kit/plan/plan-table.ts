import { type Kysely, type RawBuilder, sql } from "kysely";
import { type PlanLimits, type PlanStanding, planStanding } from "#contracts/kit/plan.ts";
import { type AnyTables, json } from "../database/database.ts";
import type { InTransaction } from "../database/pipeline.ts";

/** What a service keeps of an organization's plan: what it was told last, and how much of it is used. One row each. */
export interface PlanTables {
  plan_standings: {
    organization_id: string;
    /** Of what was told last; 0 before anything was. */
    version: number;
    /** JSON; read by `planStanding`. */
    standing: unknown;
    used: number;
    /** Of what is counted by months, as in `2026-04`: the one of `used`. */
    month: string | null;
  };
}

export const planTable = (schema: string) => sql.id(schema, "plan_standings");

/**
 * A migration step of each service that holds organizations to their plans.
 * @param counted what is used of it already: rows with `organization_id` and `used`
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

export interface KnownPlan extends PlanStanding {
  used: number;
  month: string | null;
}

interface PlanRow {
  organization_id: string;
  standing: unknown;
  used: number;
  month: string | null;
}

const readRow = ({ standing, used, month }: PlanRow): KnownPlan => ({ ...planStanding.parse(standing), used, month });

/** The limit of one of the things that are counted; null: none. */
export const limitOf = (subject: keyof PlanLimits) =>
  sql`cast(standing -> 'plan' -> 'limits' ->> ${sql.lit(subject)} as bigint)`;

/** Undefined before anything was told. */
export async function findPlan(
  db: Kysely<AnyTables> | InTransaction,
  schema: string,
  organizationId: string,
): Promise<KnownPlan | undefined> {
  return (await findPlans(db, schema, [organizationId])).get(organizationId);
}

/** Those of several organizations, by their ids. */
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

/** Keeps what was told; what is older than what is known changes nothing. */
export async function storePlan(
  db: Kysely<AnyTables>,
  schema: string,
  organizationId: string,
  standing: PlanStanding,
): Promise<void> {
  await sql`
    insert into ${planTable(schema)} as known (organization_id, version, standing)
    values (${organizationId}::uuid, ${standing.version}::bigint, ${json(standing)})
    on conflict (organization_id) do update set version = excluded.version, standing = excluded.standing
    where known.version < excluded.version`.execute(db);
}

/** Counts up, unless that would be more than the limit: whoever counts at the same time waits. @returns whether it fits */
export async function countUp(
  transaction: InTransaction,
  schema: string,
  { organizationId, subject, by }: { organizationId: string; subject: keyof PlanLimits; by: number },
): Promise<boolean> {
  const { rows } = await sql`
    update ${planTable(schema)} set used = used + ${by}::bigint
    where organization_id = ${organizationId}::uuid
      and (${limitOf(subject)} is null or used + ${by}::bigint <= ${limitOf(subject)})
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
