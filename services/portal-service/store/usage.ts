import type { Executor } from "../../kit/database/database.ts";
import { monthsUntil } from "../domain/usage-history.ts";
import type { PortalTables } from "./tables.ts";

type Db = Executor<PortalTables>;

/** Stored independently of the month. */
export type CountedSubject = PortalTables["usage_counts"]["subject"];

/** e.g. `2026-04`, in UTC. */
export function toMonth(moment: Date): string {
  return moment.toISOString().slice(0, "2026-04".length);
}

export async function addToUsage(
  db: Db,
  { organizationId, subject, by }: { organizationId: string; subject: CountedSubject; by: number },
): Promise<void> {
  await db
    .insertInto("usage_counts")
    .values({ organization_id: organizationId, subject, used: by })
    .onConflict((conflict) =>
      conflict
        .columns(["organization_id", "subject"])
        .doUpdateSet((expression) => ({ used: expression("usage_counts.used", "+", expression.ref("excluded.used")) })),
    )
    .execute();
}

/** @returns the number of executions in the month */
export async function addToMonth(
  db: Db,
  { organizationId, month, executions }: { organizationId: string; month: string; executions: number },
): Promise<number> {
  const row = await db
    .insertInto("monthly_executions")
    .values({ organization_id: organizationId, month, executions })
    .onConflict((conflict) =>
      conflict.columns(["organization_id", "month"]).doUpdateSet((expression) => ({
        executions: expression("monthly_executions.executions", "+", expression.ref("excluded.executions")),
      })),
    )
    .returning("executions")
    .executeTakeFirstOrThrow();
  return row.executions;
}

/**
 * Stored in addition to the month's count. Days are listed for the current month; those before the last month are
 * deleted.
 */
export async function addToDay(
  db: Db,
  { organizationId, day, executions }: { organizationId: string; day: string; executions: number },
): Promise<void> {
  await db
    .insertInto("daily_executions")
    .values({ organization_id: organizationId, day, executions })
    .onConflict((conflict) =>
      conflict.columns(["organization_id", "day"]).doUpdateSet((expression) => ({
        executions: expression("daily_executions.executions", "+", expression.ref("excluded.executions")),
      })),
    )
    .execute();
  const [lastMonth] = monthsUntil(new Date(day), 2) as [string];
  await db
    .deleteFrom("daily_executions")
    .where("organization_id", "=", organizationId)
    .where("day", "<", lastMonth)
    .execute();
}

/** The requested executions by month or by day; no row for none. */
export async function readExecutions(
  db: Db,
  organizationId: string,
  { months, days }: { months: string[]; days: string[] },
): Promise<Map<string, number>> {
  const inMonths = await db
    .selectFrom("monthly_executions")
    .select(["month as period", "executions"])
    .where("organization_id", "=", organizationId)
    .where("month", "in", months)
    .execute();
  const onDays = await db
    .selectFrom("daily_executions")
    .select(["day as period", "executions"])
    .where("organization_id", "=", organizationId)
    .where("day", "in", days)
    .execute();
  return new Map([...inMonths, ...onDays].map(({ period, executions }) => [period, Number(executions)]));
}

/** Scheduled runs were skipped in this month because its executions were used up. */
export async function markSkipped(db: Db, organizationId: string, month: string): Promise<void> {
  await db
    .insertInto("skipped_runs")
    .values({ organization_id: organizationId, month })
    .onConflict((conflict) => conflict.column("organization_id").doUpdateSet({ month }))
    .execute();
}

export async function hasSkipped(db: Db, organizationId: string, month: string): Promise<boolean> {
  const row = await db
    .selectFrom("skipped_runs")
    .select("month")
    .where("organization_id", "=", organizationId)
    .where("month", "=", month)
    .executeTakeFirst();
  return row !== undefined;
}

/** Under another plan they may run again. */
export async function forgetSkipped(db: Db, organizationId: string): Promise<void> {
  await db.deleteFrom("skipped_runs").where("organization_id", "=", organizationId).execute();
}

type Member = { organizationId: string; userId: string };

/** @returns whether they could sign in until now */
export async function markDisabled(db: Db, { organizationId, userId }: Member): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("disabled_members")
    .values({ organization_id: organizationId, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Boolean(numInsertedOrUpdatedRows);
}

/** @returns whether they could not sign in until now */
export async function markEnabled(db: Db, { organizationId, userId }: Member): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("disabled_members")
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** An organization's counts; 0 for a subject never counted. */
export async function readUsage(
  db: Db,
  organizationId: string,
  month: string,
): Promise<Record<CountedSubject, number> & { executionsPerMonth: number }> {
  const counts = await db
    .selectFrom("usage_counts")
    .select(["subject", "used"])
    .where("organization_id", "=", organizationId)
    .execute();
  const inMonth = await db
    .selectFrom("monthly_executions")
    .select("executions")
    .where("organization_id", "=", organizationId)
    .where("month", "=", month)
    .executeTakeFirst();
  const used = (subject: CountedSubject) => Number(counts.find((count) => count.subject === subject)?.used ?? 0);
  return {
    apis: used("apis"),
    tests: used("tests"),
    members: used("members"),
    executionsPerMonth: Number(inMonth?.executions ?? 0),
  };
}
