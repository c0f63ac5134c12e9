import { type Kysely, type QueryExecutorProvider, sql } from "kysely";
import { Problem } from "#contracts/kit/problem.ts";
import type { AnyTables } from "../../kit/database/database.ts";
import type { InTransaction } from "../../kit/database/pipeline.ts";
import { organizationDeleted } from "../../kit/plan/plan-ledger.ts";
import { createPlanTable, findPlan, type KnownPlan, limitExpression, planTable } from "../../kit/plan/plan-table.ts";
import { schemaName, table } from "./tables.ts";

const plans = planTable(schemaName);
const limit = limitExpression("executionsPerMonth");

/**
 * This month's counted executions, judged as when they ended, and those under way. Manual repetitions of failed
 * executions are not counted, as at their start.
 */
export async function createPlans(db: Kysely<AnyTables>): Promise<void> {
  await createPlanTable(schemaName)(db);
  await sql`alter table ${table("unfinished_executions")} add column reserves boolean not null default true`.execute(
    db,
  );
  await sql`
    insert into ${plans} (organization_id, used, month)
    select organization_id, sum(used), to_char(now() at time zone 'utc', 'YYYY-MM') from (
      select organization_id, count(*) as used from ${table("unfinished_executions")} group by organization_id
      union all
      select organization_id, count(*) from ${table("executions")} execution
      where finished_at >= date_trunc('month', now() at time zone 'utc') at time zone 'utc' and attempt_count > 0
        and not (verdict = 'errored'
          and (cause like '%"code":"worker_lost"%' or cause like '%"code":"not_judged"%'))
        and not (trigger in ('manual', 'rerun') and coalesce((
          select earlier.verdict from ${table("executions")} earlier
          where earlier.organization_id = execution.organization_id and earlier.test_id = execution.test_id
            and earlier.row_index is not distinct from execution.row_index
            and earlier.finished_at < execution.finished_at
          order by earlier.finished_at desc limit 1), 'passed') in ('failed', 'blocked', 'errored'))
      group by organization_id
    ) counted group by organization_id`.execute(db);
}

export interface Wanted {
  organizationId: string;
  /** How many of the executions stored in this transaction may count. */
  executions: number;
  /** E.g. `2026-04`. */
  month: string;
}

/** The requested executions per organization. */
function sumUp(wanted: Wanted[]): Wanted[] {
  const sums = new Map<string, Wanted>();
  for (const one of wanted) {
    const { executions = 0, month = one.month } = sums.get(one.organizationId) ?? {};
    sums.set(one.organizationId, {
      organizationId: one.organizationId,
      executions: executions + one.executions,
      month: month > one.month ? month : one.month,
    });
  }
  return [...sums.values()];
}

/**
 * Counts executions about to run, as far as they may count, at the end of the transaction that stored them: other
 * transactions of the organizations wait for its commit only. In a new month, executions under way are counted again,
 * which includes these.
 * @returns whether all of them fit
 */
export async function reserve(transaction: QueryExecutorProvider, wanted: Wanted[]): Promise<boolean> {
  const sums = sumUp(wanted);
  if (sums.length === 0) return true;
  const used = sql`case when known.month >= given.month then known.used + given.executions else (
    select count(*) from ${table("unfinished_executions")} execution
    where execution.organization_id = known.organization_id and execution.reserves) end`;
  const organizationIds = sums.map(({ organizationId }) => organizationId);
  const { rows } = await sql`
    with locked as (
      select organization_id from ${plans}
      where organization_id = any(${organizationIds}::uuid[]) order by organization_id for update
    )
    update ${plans} known set used = ${used}, month = greatest(known.month, given.month)
    from locked, unnest(
      ${organizationIds}::uuid[], ${sums.map(({ executions }) => executions)}::bigint[],
      ${sums.map(({ month }) => month)}::text[]
    ) as given(organization_id, executions, month)
    where known.organization_id = locked.organization_id and given.organization_id = locked.organization_id
      and (given.executions = 0 or ${limit} is null or ${used} <= ${limit})
    returning known.organization_id`.execute(transaction);
  return rows.length === sums.length;
}

/** Returns reserved executions that did not count, at the end of a transaction; usually none, which costs nothing. */
export async function giveBack(
  transaction: QueryExecutorProvider,
  ended: { organization_id: string; reserves?: boolean }[],
): Promise<void> {
  const counts = new Map<string, number>();
  for (const { organization_id, reserves } of ended)
    if (reserves) counts.set(organization_id, (counts.get(organization_id) ?? 0) + 1);
  if (counts.size === 0) return;
  await sql`
    with locked as (
      select organization_id from ${plans}
      where organization_id = any(${[...counts.keys()]}::uuid[]) order by organization_id for update
    )
    update ${plans} known set used = greatest(known.used - given.amount, 0)
    from locked, unnest(${[...counts.keys()]}::uuid[], ${[...counts.values()]}::bigint[]) as given(organization_id, amount)
    where known.organization_id = locked.organization_id and given.organization_id = locked.organization_id`.execute(
    transaction,
  );
}

const figure = (count: number) => count.toLocaleString("en");

/** Why a run does not start; undefined if it fits as far as is known. */
export function explainNoQuota(known: KnownPlan | undefined, { executions, month }: Wanted): Problem | undefined {
  const max = known?.plan?.limits.executionsPerMonth ?? null;
  if (!known?.plan || max === null || executions === 0) return undefined;
  const used = known.month === month ? known.used : 0;
  if (used + executions <= max) return undefined;
  const left = Math.max(max - used, 0);
  const suffices = left === 0 ? "none is left for it" : `the ${figure(left)} that are left do not suffice`;
  const detail = `The ${known.plan.name} plan runs ${figure(max)} executions a month. ${figure(used)} are used, and this run has ${figure(executions)}: ${suffices}. Nothing was started. Upgrade the plan on the billing page, or run fewer.`;
  return new Problem("plan_limit_reached", detail, { limit: max, used });
}

/** The same, read again at the end of a transaction that exceeded the quota. */
export async function findQuotaProblem(transaction: InTransaction, wanted: Wanted): Promise<Problem> {
  const known = await findPlan(transaction, schemaName, wanted.organizationId);
  if (!known) return organizationDeleted();
  return explainNoQuota(known, wanted) ?? new Problem("plan_limit_reached");
}
