import { sql } from "kysely";
import { href } from "../../app/href.ts";
import { table } from "../../services/test-executioner/store/tables.ts";
import type { Organization } from "./organization.ts";

/** Of the circle's last run. */
async function findLast({ database, organizationId, testId }: Organization) {
  const { rows } = await sql<{ runId: string; testExecutionId: string }>`
    select run_id as "runId", execution_id as "testExecutionId" from ${table("latest_executions")}
    where organization_id = ${organizationId}::uuid and test_id = ${testId}::uuid`.execute(database.kysely);
  return rows[0]!;
}

/** Paths of the pages of an organization that show growing data. */
export async function findPages(own: Organization): Promise<Record<string, string>> {
  const { apiId, testId, testCircleId } = own;
  const { runId, testExecutionId } = await findLast(own);
  const circle = { apiId, testCircleId };
  const executions = (search = {}) =>
    href("/test-management/:apiId/tests/:testId/executions/list", { apiId, testId }, search);
  const runs = (search = {}) => href("/test-management/:apiId/runs", { apiId }, search);
  const runsOfCircle = (search = {}) =>
    href("/test-management/:apiId/test-circles/:testCircleId/executions/list", circle, search);
  return {
    dashboard: href("/dashboard"),
    "dashboard, 90 days": href("/dashboard", { range: "90d" }),
    "failing tests": href("/test-management/failing-tests"),
    "API list": href("/api-management/list"),
    "API list, by verdict": href("/test-management/select-api"),
    "test list": href("/test-management/:apiId/tests", { apiId }),
    "test list, failed": href("/test-management/:apiId/tests", { apiId }, { verdict: "failed" }),
    "overview and matrix": href("/test-management/:apiId/manage", { apiId }),
    "overview, 90 days": href("/test-management/:apiId/manage", { apiId }, { range: "90d" }),
    "matrix of a tag": href("/test-management/:apiId/manage", { apiId }, { tag: "Tag 1" }),
    "trends as CSV": href("/trends.csv", { range: "90d", apiId }),
    runs: runs(),
    "runs, failed": runs({ verdict: "failed" }),
    "runs, manually": runs({ trigger: "manual" }),
    "a run": href("/test-management/:apiId/runs/:runId", { apiId, runId }),
    "a run, compared": href("/test-management/:apiId/runs/:runId/comparison", { apiId, runId }),
    executions: executions(),
    "executions, 90 days": executions({ range: "90d" }),
    "executions, failed": executions({ verdict: "failed" }),
    "an execution": href("/test-management/:apiId/tests/:testId/executions/:testExecutionId/results", {
      ...{ apiId, testId, testExecutionId },
    }),
    circles: href("/test-management/test-circles/list"),
    "circles of an API": href("/test-management/:apiId/test-circles/list", { apiId }),
    "a circle": href("/test-management/:apiId/test-circles/:testCircleId", circle),
    "a circle, 90 days": href("/test-management/:apiId/test-circles/:testCircleId", circle, { range: "90d" }),
    "runs of circles": href("/test-management/:apiId/test-circles/executions/list", { apiId }),
    "runs of a circle": runsOfCircle(),
    "runs of it, failed": runsOfCircle({ verdict: "failed" }),
    "results of a circle": href(
      "/test-management/:apiId/test-circles/:testCircleId/executions/:testCircleExecutionId/results",
      { ...circle, testCircleExecutionId: runId },
    ),
  };
}
