import { type Kysely, sql } from "kysely";
import type { FoundCircles, FoundTests } from "#contracts/test-registry/search.ts";
import type { AnyTables } from "../../kit/database/database.ts";
import { createWordsFunction, findLikely, indexWords, type LikelySearch } from "../../kit/database/likely-search.ts";
import { listApiIdsOfCircles } from "./circles.ts";
import { schemaName, type TestDatabase } from "./tables.ts";

const searchedTests = {
  schema: schemaName,
  table: "tests",
  id: ["id"],
  text: sql<string>`(name || ' ' || method || ' ' || path || ' ' || tags::text)`,
  key: "name_key",
} as const;

const searchedCircles = {
  schema: schemaName,
  table: "test_circles",
  id: ["id"],
  text: sql<string>`(name || ' ' || description)`,
  key: "name_key",
} as const;

/** Finds tests and circles by words. */
export async function findTestsByWords(db: Kysely<AnyTables>): Promise<void> {
  await createWordsFunction(db, schemaName);
  await indexWords(db, searchedTests);
  await indexWords(db, searchedCircles);
}

export async function searchTests(db: TestDatabase, search: LikelySearch): Promise<FoundTests> {
  const { ids, ...counts } = await findLikely(db, searchedTests, search);
  const wanted = ids.map(({ id }) => id);
  const rows = await db
    .selectFrom("tests")
    .select(["id", "api_id as apiId", "name", "method", "path", "enabled"])
    .where("organization_id", "=", search.organizationId)
    .where(sql<boolean>`id = any(${wanted}::uuid[])`)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return { items: wanted.flatMap((id) => byId.get(id) ?? []), ...counts };
}

export async function searchCircles(db: TestDatabase, search: LikelySearch): Promise<FoundCircles> {
  const { ids, ...counts } = await findLikely(db, searchedCircles, search);
  const wanted = ids.map(({ id }) => id);
  const rows = await db
    .selectFrom("test_circles")
    .select(["id", "name", "description"])
    .where("organization_id", "=", search.organizationId)
    .where(sql<boolean>`id = any(${wanted}::uuid[])`)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const apiIds = await listApiIdsOfCircles(db, wanted);
  const items = wanted.flatMap((id) => byId.get(id) ?? []);
  return { items: items.map((row) => ({ ...row, apiIds: apiIds.get(row.id) ?? [] })), ...counts };
}
