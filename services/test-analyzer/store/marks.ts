import { type Selectable, type SqlBool, sql } from "kysely";
import type { MarkKind } from "#contracts/test-analyzer/marks.ts";
import type { Executor } from "../../kit/database/database.ts";
import type { AnalyzerTables } from "./tables.ts";

type Db = Executor<AnalyzerTables>;
export type MarkRow = Selectable<AnalyzerTables["marks"]>;

export async function insertMark(db: Db, row: MarkRow): Promise<void> {
  await db.insertInto("marks").values(row).execute();
}

/** Moves a test's mark that is newer than `since` to its latest edit; false when there is none. */
export async function moveTestMark(db: Db, { test_id, ...row }: MarkRow, since: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("marks")
    .set({ name: row.name, at: row.at })
    .where("organization_id", "=", row.organization_id)
    .where("at", ">", since)
    .where("kind", "=", "test")
    .where("test_id", "=", test_id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function findMark(db: Db, organizationId: string, markId: string): Promise<MarkRow | undefined> {
  return await db
    .selectFrom("marks")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", markId)
    .executeTakeFirst();
}

export interface MarkFilter {
  organizationId: string;
  apiId?: string;
  testId?: string;
  /** Everything that the circle runs. */
  circle?: { apiIds: string[]; testIds: string[]; selectedApiIds: string[] };
  kind?: MarkKind;
  from?: Date;
  to?: Date;
  /** The last mark of the previous page. */
  before?: { moment: string; id: string };
  limit: number;
}

/** Of an organization without edits of tests, of an API, of one test, or of a circle; newest first. */
export async function listMarks(db: Db, filter: MarkFilter): Promise<MarkRow[]> {
  const { apiId, testId, circle, kind, from, to, before } = filter;
  let query = db
    .selectFrom("marks")
    .selectAll()
    .where("organization_id", "=", filter.organizationId)
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(filter.limit);
  if (apiId ?? testId) {
    query = query.where(
      sql<SqlBool>`(api_id is null or api_id = ${apiId ?? null}::uuid or test_id = ${testId ?? null}::uuid)`,
    );
  }
  if (circle) {
    query = query
      .where(sql<SqlBool>`(api_id is null or api_id = any(${circle.apiIds}::uuid[]))`)
      .where(
        sql<SqlBool>`(kind <> 'test' or test_id = any(${circle.testIds}::uuid[]) or api_id = any(${circle.selectedApiIds}::uuid[]))`,
      );
  } else if (testId) query = query.where(sql<SqlBool>`(kind <> 'test' or test_id = ${testId}::uuid)`);
  else if (!apiId) query = query.where("kind", "<>", "test");
  if (kind) query = query.where("kind", "=", kind);
  if (from) query = query.where("at", ">=", from);
  if (to) query = query.where("at", "<", to);
  if (before) query = query.where(sql<SqlBool>`(at, id) < (${before.moment}::timestamptz, ${before.id}::uuid)`);
  return await query.execute();
}

export async function deleteMark(db: Db, organizationId: string, markId: string): Promise<MarkRow | undefined> {
  return await db
    .deleteFrom("marks")
    .where("organization_id", "=", organizationId)
    .where("id", "=", markId)
    .returningAll()
    .executeTakeFirst();
}

/** Deletes marks of a deleted API or of its deleted tests. */
export async function deleteMarks(
  db: Db,
  organizationId: string,
  deleted: { apiId: string; testIds?: string[] },
): Promise<void> {
  let query = db.deleteFrom("marks").where("organization_id", "=", organizationId).where("api_id", "=", deleted.apiId);
  if (deleted.testIds) query = query.where(sql<SqlBool>`test_id = any(${deleted.testIds}::uuid[])`);
  await query.execute();
}

/** @returns the number of deleted rows */
export async function deleteMarksBefore(db: Db, { before, limit }: { before: Date; limit: number }): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("marks")
    .where("id", "in", (select) => select.selectFrom("marks").select("id").where("at", "<", before).limit(limit))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
