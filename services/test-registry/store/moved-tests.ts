import { type Kysely, type SqlBool, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName, type TestTransaction } from "./tables.ts";
import { readTest, type TestRow } from "./tests.ts";

/** Tests of an API on these paths that did not move with the document yet, locked. */
export async function findTestsOfPaths(
  transaction: TestTransaction,
  {
    organizationId,
    apiId,
    documentId,
    paths,
  }: { organizationId: string; apiId: string; documentId: string; paths: string[] },
): Promise<TestRow[]> {
  // PostgreSQL's text has no NUL, so no test can have such a path.
  const storable = paths.filter((path) => !path.includes("\u0000"));
  const rows = await transaction
    .selectFrom("tests")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("api_id", "=", apiId)
    .where(sql<SqlBool>`path = any(${storable}::text[])`)
    .where(sql<SqlBool>`moved_by is distinct from ${documentId}::uuid`)
    .orderBy("id")
    .forUpdate()
    .execute();
  return rows.map((row) => readTest(row));
}

/** Remembers with which document tests moved: the moves of a document may come in several events, in any order. */
export async function markMoved(
  transaction: TestTransaction,
  { organizationId, documentId, ids }: { organizationId: string; documentId: string; ids: string[] },
): Promise<void> {
  if (ids.length === 0) return;
  await transaction
    .updateTable("tests")
    .set({ moved_by: documentId })
    .where("organization_id", "=", organizationId)
    .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
    .execute();
}

export async function addMovedBy(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${sql.id(schemaName, "tests")} add column moved_by uuid`.execute(db);
}
