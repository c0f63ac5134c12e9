import { type SqlBool, sql } from "kysely";
import type { TestTransaction } from "./tables.ts";
import { readTest, type TestRow } from "./tests.ts";

/** Tests of an API on these paths, locked. */
export async function findTestsOfPaths(
  transaction: TestTransaction,
  { organizationId, apiId, paths }: { organizationId: string; apiId: string; paths: string[] },
): Promise<TestRow[]> {
  // PostgreSQL's text has no NUL, so no test can have such a path.
  const storable = paths.filter((path) => !path.includes("\u0000"));
  const rows = await transaction
    .selectFrom("tests")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("api_id", "=", apiId)
    .where(sql<SqlBool>`path = any(${storable}::text[])`)
    .orderBy("id")
    .forUpdate()
    .execute();
  return rows.map((row) => readTest(row));
}
