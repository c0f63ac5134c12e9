import { type RawBuilder, sql } from "kysely";
import type { FoundApis, FoundOperations } from "#contracts/api-registry/search.ts";
import type { Executor } from "../../kit/database/database.ts";
import { findLikely, type LikelySearch } from "../../kit/database/likely-search.ts";
import { type ApiRegistryTables, schemaName } from "./tables.ts";

type Db = Executor<ApiRegistryTables>;
export const searchedApis = {
  schema: schemaName,
  table: "apis",
  id: ["id"],
  text: sql<string>`name_key`,
  key: "name_key",
} as const;

export const searchedOperations = {
  schema: schemaName,
  table: "operation_words",
  id: ["document_id", "position"],
  text: sql<string>`words`,
  key: "key",
} as const;

/**
 * Rows of `operation_words`. Words within an operation id (`listOrders`) are words, too.
 * @param operations a source named `operation` of rows like those of `operations`
 */
export function selectOperationWords(organizationId: RawBuilder<unknown>, operations: RawBuilder<unknown>) {
  const parts = sql`concat_ws(' ', operation.method, operation.path, operation.summary, operation.operation_id,
    regexp_replace(operation.operation_id, '([a-z0-9])([A-Z])', '\\1 \\2', 'g'), array_to_string(operation.tags, ' '))`;
  return sql`
    select ${organizationId}, operation.document_id, operation.position,
      left(lower(operation.method || ' ' || operation.path), 200) collate "C", left(${parts}, 4000)
    from ${operations} where operation.kind = 'operation'`;
}

export async function searchApis(db: Db, search: LikelySearch): Promise<FoundApis> {
  const { ids, ...counts } = await findLikely(db, searchedApis, search);
  const wanted = ids.map(({ id }) => id);
  const rows = await db
    .selectFrom("apis")
    .innerJoin("documents", "documents.id", "apis.current_document_id")
    .select(["apis.id", "apis.name", "documents.version", "documents.operation_count as operationCount"])
    .where("apis.organization_id", "=", search.organizationId)
    .where(sql<boolean>`apis.id = any(${wanted}::uuid[])`)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return { items: wanted.flatMap((id) => byId.get(id) ?? []), ...counts };
}

export async function searchOperations(db: Db, search: LikelySearch): Promise<FoundOperations> {
  const { ids, ...counts } = await findLikely(db, searchedOperations, search);
  const rows = await db
    .selectFrom("operations")
    .innerJoin("apis", "apis.current_document_id", "operations.document_id")
    .select(["apis.id as apiId", "apis.name as apiName", "method", "path", "summary", "deprecated"])
    .select(sql<string>`operations.document_id || ' ' || operations.position`.as("key"))
    .where("apis.organization_id", "=", search.organizationId)
    .where(
      sql<boolean>`(operations.document_id, operations.position) in (
        select * from unnest(${ids.map(({ document_id }) => document_id)}::uuid[],
          ${ids.map(({ position }) => Number(position))}::int[]))`,
    )
    .execute();
  const byKey = new Map(rows.map(({ key, ...row }) => [key, row]));
  return { items: ids.flatMap((id) => byKey.get(`${id.document_id} ${id.position}`) ?? []), ...counts };
}
