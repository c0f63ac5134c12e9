import { type Selectable, sql } from "kysely";
import type { AnalyzerDatabase, AnalyzerTables } from "./tables.ts";

export type ExecutionRow = Selectable<AnalyzerTables["recorded_executions"]>;

/** Writes all rows in one statement; a row that is there is written over. */
export async function recordExecutions(db: AnalyzerDatabase, rows: ExecutionRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto("recorded_executions")
    .values(
      rows.map((row) => ({
        ...row,
        verifications: sql<ExecutionRow["verifications"]>`cast(${JSON.stringify(row.verifications)} as json)`,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .column("execution_id")
        .doUpdateSet((expression) => ({
          test_id: expression.ref("excluded.test_id"),
          test_name: expression.ref("excluded.test_name"),
          verdict: expression.ref("excluded.verdict"),
          status_code: expression.ref("excluded.status_code"),
          response_milliseconds: expression.ref("excluded.response_milliseconds"),
          finished_at: expression.ref("excluded.finished_at"),
          verifications: expression.ref("excluded.verifications"),
        }))
        // An id of another organization's is left as it is.
        .whereRef("recorded_executions.organization_id", "=", "excluded.organization_id"),
    )
    .execute();
}

export async function findVerifications(
  db: AnalyzerDatabase,
  organizationId: string,
  executionId: string,
): Promise<ExecutionRow["verifications"] | undefined> {
  const row = await db
    .selectFrom("recorded_executions")
    .select("verifications")
    .where("organization_id", "=", organizationId)
    .where("execution_id", "=", executionId)
    .executeTakeFirst();
  return row?.verifications;
}

export async function forgetExecutions(
  db: AnalyzerDatabase,
  organizationId: string,
  of: { testId: string } | { apiId: string } | { executionIds: string[] },
): Promise<void> {
  const executions = db.deleteFrom("recorded_executions").where("organization_id", "=", organizationId);
  if ("executionIds" in of) {
    await executions.where("execution_id", "in", of.executionIds).execute();
    return;
  }
  await ("testId" in of
    ? executions.where("test_id", "=", of.testId)
    : executions.where("api_id", "=", of.apiId)
  ).execute();
}
