import { type SqlBool, sql } from "kysely";
import type { TestDatabase } from "./tables.ts";

/** Number of tests per API; for all APIs of the organization when none are named. */
export async function countTestsByApi(db: TestDatabase, organizationId: string, apiIds: string[] | undefined) {
  let tests = db.selectFrom("tests").where("organization_id", "=", organizationId);
  if (apiIds) tests = tests.where(sql<SqlBool>`api_id = any(${apiIds}::uuid[])`);
  const rows = await tests
    .select((of) => [
      "api_id",
      of.fn.countAll<number>().as("total"),
      of.fn.countAll<number>().filterWhere("enabled", "=", true).as("enabled_total"),
    ])
    .groupBy("api_id")
    .execute();
  return rows.map((row) => ({ apiId: row.api_id, total: Number(row.total), enabled: Number(row.enabled_total) }));
}

export async function countTestsByOperation(db: TestDatabase, organizationId: string, apiId: string) {
  const rows = await db
    .selectFrom("tests")
    .where("organization_id", "=", organizationId)
    .where("api_id", "=", apiId)
    .select((of) => ["method", "path", of.fn.countAll<number>().as("total")])
    .groupBy(["method", "path"])
    .orderBy("path")
    .orderBy("method")
    .execute();
  return rows.map((row) => ({ ...row, total: Number(row.total) }));
}

export async function countEnabledByMethod(db: TestDatabase, organizationId: string, apiId: string) {
  const rows = await db
    .selectFrom("tests")
    .where("organization_id", "=", organizationId)
    .where("api_id", "=", apiId)
    .where("enabled", "=", true)
    .select((of) => ["method", of.fn.countAll<number>().as("total")])
    .groupBy("method")
    .orderBy("method")
    .execute();
  return rows.map((row) => ({ ...row, total: Number(row.total) }));
}
