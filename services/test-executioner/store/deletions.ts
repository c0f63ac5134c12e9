import { sql } from "kysely";
import { forgetCountsOfApi, forgetCountsOfTests } from "./counts.ts";
import type { ExecutionDatabase } from "./tables.ts";
import { table } from "./tables.ts";

/** So many rows a transaction: a test with a million executions must not hold up everybody else's writes. */
const batchSize = 2_000;

/** Deletes what was kept of tests: all their executions, attempts and snapshots. Queued ones never start. */
export async function deleteExecutionsOfTests(
  db: ExecutionDatabase,
  organizationId: string,
  testIds: string[],
): Promise<void> {
  while ((await deleteBatch(db, organizationId, testIds)) === batchSize);
  await forgetCountsOfTests(db, organizationId, testIds);
  await db
    .deleteFrom("latest_executions")
    .where("organization_id", "=", organizationId)
    .where("test_id", "=", sql<string>`any(${testIds}::uuid[])`)
    .execute();
  await db
    .deleteFrom("test_snapshots")
    .where("organization_id", "=", organizationId)
    .where("test_id", "=", sql<string>`any(${testIds}::uuid[])`)
    .execute();
}

/** Locks first and deletes then: an execution ending right now has its attempts by the time they are looked for. */
async function deleteBatch(db: ExecutionDatabase, organizationId: string, testIds: string[]): Promise<number> {
  return await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ id: string }>`
      select id from ${table("executions")}
      where organization_id = ${organizationId}::uuid and test_id = any(${testIds}::uuid[])
      limit ${batchSize} for update`.execute(transaction);
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return 0;
    const isDoomed = sql<string>`any(${ids}::uuid[])`;
    await transaction.deleteFrom("execution_attempts").where("execution_id", "=", isDoomed).execute();
    await transaction.deleteFrom("executions").where("id", "=", isDoomed).execute();
    return ids.length;
  });
}

/** Every test that ever ran has a row among the latest executions, so that these name what is to go. */
export async function deleteExecutionsOfApi(
  db: ExecutionDatabase,
  organizationId: string,
  apiId: string,
): Promise<void> {
  for (;;) {
    const tests = await db
      .selectFrom("latest_executions")
      .select("test_id")
      .where("organization_id", "=", organizationId)
      .where("api_id", "=", apiId)
      .limit(200)
      .execute();
    if (tests.length === 0) break;
    await deleteExecutionsOfTests(
      db,
      organizationId,
      tests.map((row) => row.test_id),
    );
  }
  await db.deleteFrom("runs").where("organization_id", "=", organizationId).where("api_id", "=", apiId).execute();
  await forgetCountsOfApi(db, organizationId, apiId);
}
