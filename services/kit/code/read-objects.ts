import { type Kysely, sql } from "kysely";
import type { AnyTables, Executor } from "../database/database.ts";
import type { CodeTable, ObjectQuery } from "./code-kind.ts";

/** Rows of a kind's table, by id. */
export async function readObjects<Row>(
  executor: Executor<AnyTables>,
  { table, idColumn, parentColumn }: CodeTable,
  { ids, apiId, after, limit }: ObjectQuery,
  { organizationId }: { organizationId: string },
): Promise<Row[]> {
  let query = (executor as Kysely<AnyTables>)
    .selectFrom(table)
    .selectAll()
    .where("organization_id", "=", organizationId)
    .orderBy(idColumn)
    .limit(limit);
  if (ids) query = query.where(idColumn, "=", sql<string>`any(${ids}::uuid[])`);
  if (apiId) query = query.where(parentColumn ?? idColumn, "=", apiId);
  if (after) query = query.where(idColumn, ">", after);
  return (await query.execute()) as Row[];
}
