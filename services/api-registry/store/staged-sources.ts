import { sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import type { ApiRegistryTables } from "./tables.ts";

type Db = Executor<ApiRegistryTables>;

export interface StagedSource {
  id: string;
  contentType: string;
}

export async function insertStagedSource(
  db: Db,
  staged: StagedSource & { organizationId: string; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto("staged_sources")
    .values({
      id: staged.id,
      organization_id: staged.organizationId,
      content_type: staged.contentType,
      expires_at: staged.expiresAt,
      complete: false,
    })
    .execute();
}

export async function insertStagedChunk(db: Db, id: string, position: number, deflated: Uint8Array): Promise<void> {
  await db
    .insertInto("staged_chunks")
    .values({ staged_id: id, position, deflated: Buffer.from(deflated) })
    .execute();
}

export async function completeStagedSource(db: Db, id: string): Promise<void> {
  await db.updateTable("staged_sources").set({ complete: true }).where("id", "=", id).execute();
}

export async function findStagedSource(
  db: Db,
  organizationId: string,
  id: string,
  now: Date,
): Promise<StagedSource | undefined> {
  const row = await db
    .selectFrom("staged_sources")
    .select(["id", "content_type"])
    .where("id", "=", id)
    .where("organization_id", "=", organizationId)
    .where("expires_at", ">", now)
    .where("complete", "=", true)
    .executeTakeFirst();
  return row && { id: row.id, contentType: row.content_type };
}

export async function findStagedChunk(db: Db, id: string, position: number): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom("staged_chunks")
    .select("deflated")
    .where("staged_id", "=", id)
    .where("position", "=", position)
    .executeTakeFirst();
  return row?.deflated;
}

/** Expired sources, and all but the newest of an organization. */
export async function removeStagedSources(
  db: Db,
  now: Date,
  limit?: { organizationId: string; kept: number },
): Promise<void> {
  await db.deleteFrom("staged_sources").where("expires_at", "<=", now).execute();
  if (!limit) return;
  await db
    .deleteFrom("staged_sources")
    .where("organization_id", "=", limit.organizationId)
    .where("id", "not in", (select) =>
      select
        .selectFrom("staged_sources")
        .select("id")
        .where("organization_id", "=", limit.organizationId)
        .orderBy("id", "desc")
        .limit(sql.lit(limit.kept)),
    )
    .execute();
}
