import { type SqlBool, sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import type { RecoveringTest } from "../domain/incident/recovery.ts";
import { type AnalyzerTables, type AnalyzerTransaction, noCircle, table } from "./tables.ts";

/** A run in which tests of open incidents passed. */
export interface PassedRun {
  runId: string;
  at: Date;
  byHand: boolean;
  testIds: string[];
}

/** Tests that were resolved by this run no longer fail. */
export async function storePasses(
  transaction: AnalyzerTransaction,
  organizationId: string,
  { runId, at, byHand, testIds }: PassedRun,
): Promise<void> {
  if (testIds.length === 0) return;
  await sql`
    update ${table("incident_tests")} test
    set passed_at = ${at}::timestamptz, passed_run_id = ${runId}::uuid, passed_by_hand = ${byHand}
    from ${table("incidents")} incident
    where incident.id = test.incident_id and incident.resolved_at is null
      and test.organization_id = ${organizationId}::uuid and test.test_id = any(${testIds}::uuid[])
      and test.state = 'failing' and test.run_id < ${runId}::uuid
      and coalesce(test.passed_run_id < ${runId}::uuid, true)`.execute(transaction);
}

/** The latest to pass come first. */
export async function listRecoveringTests(
  db: Executor<AnalyzerTables>,
  organizationId: string,
  { limit, ...of }: { incidentIds?: readonly string[]; apiIds?: readonly string[]; limit: number },
): Promise<RecoveringTest[]> {
  const rows = await db
    .selectFrom("incident_tests as test")
    .innerJoin("incidents as incident", "incident.id", "test.incident_id")
    .select(["test.incident_id", "test.test_id", "test.test_name", "test.api_id", "test.test_circle_id"])
    .select(["test.environment", "test.since", "test.passed_at", "test.passed_run_id", "test.passed_by_hand"])
    .select("incident.is_unsteady")
    .where("test.organization_id", "=", organizationId)
    .where("incident.resolved_at", "is", null)
    .where("test.state", "=", "failing")
    .whereRef("test.passed_run_id", ">", "test.run_id")
    .$if(of.incidentIds !== undefined, (query) =>
      query.where(sql<SqlBool>`test.incident_id = any(${[...of.incidentIds!]}::uuid[])`),
    )
    .$if(of.apiIds !== undefined, (query) => query.where(sql<SqlBool>`test.api_id = any(${[...of.apiIds!]}::uuid[])`))
    .orderBy("test.passed_at", "desc")
    .orderBy("test.test_id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    incidentId: row.incident_id,
    testId: row.test_id,
    testName: row.test_name,
    apiId: row.api_id,
    testCircleId: row.test_circle_id === noCircle ? null : row.test_circle_id,
    environment: row.environment,
    since: row.since,
    passedAt: row.passed_at!,
    passedRunId: row.passed_run_id!,
    passedByHand: row.passed_by_hand!,
    isUnsteady: row.is_unsteady,
  }));
}
