import { type SqlBool, sql } from "kysely";
import type { AnalyzerDatabase } from "./tables.ts";

export interface LastVerdict {
  method: string;
  path: string;
  status_code: number;
  verdict: string;
  execution_id: string;
  test_id: string;
  finished_at: Date;
}

/** The last execution of each named operation and each status it answered with, in one statement. */
export async function listLastVerdicts(
  db: AnalyzerDatabase,
  organizationId: string,
  apiId: string,
  operations: { method: string; path: string }[],
): Promise<LastVerdict[]> {
  if (operations.length === 0) return [];
  const paths = [...new Set(operations.map((operation) => operation.path))];
  const rows = await db
    .selectFrom("recorded_executions")
    .distinctOn(["path", "method", "status_code"])
    .select(["method", "path", "status_code", "verdict", "execution_id", "test_id", "finished_at"])
    .where("organization_id", "=", organizationId)
    .where("api_id", "=", apiId)
    .where(sql<SqlBool>`path = any(${paths}::text[])`)
    .where("status_code", "is not", null)
    .orderBy("path")
    .orderBy("method")
    .orderBy("status_code")
    .orderBy("finished_at", "desc")
    .execute();
  return rows as LastVerdict[];
}
