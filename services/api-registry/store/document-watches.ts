import { type Selectable, sql, type Updateable } from "kysely";
import type { DocumentWatch, DocumentWatchInput } from "#contracts/api-registry/document-watches.ts";
import type { Executor } from "../../kit/database/database.ts";
import { type ApiRegistryTables, type DocumentWatchTable, schemaName } from "./tables.ts";

type Db = Executor<ApiRegistryTables>;
export type WatchRow = Selectable<DocumentWatchTable>;
export type WatchChanges = Updateable<DocumentWatchTable>;

const table = sql.id(schemaName, "document_watches");
/** Longer than a look takes: an import within its limits, and the requests for its files. */
const leaseMinutes = 15;

export function toDocumentWatch(row: WatchRow): DocumentWatch {
  const iso = (moment: Date | null) => moment?.toISOString() ?? null;
  return {
    apiId: row.api_id,
    url: row.url,
    everyMinutes: row.every_minutes,
    action: row.action,
    lookedAt: iso(row.looked_at),
    nextLookAt: row.due_at.toISOString(),
    unchangedSince: iso(row.unchanged_since),
    failure:
      row.failure !== null && row.failing_since
        ? { reason: row.failure, since: row.failing_since.toISOString(), looks: row.failures }
        : null,
    change:
      row.change_digest !== null && row.change_found_at
        ? {
            digest: row.change_digest,
            version: row.change_version ?? "",
            foundAt: row.change_found_at.toISOString(),
            breakingCount: row.change_breaking_count ?? 0,
            reason: row.change_reason ?? "",
          }
        : null,
    takenOver:
      row.taken_document_id !== null && row.taken_at
        ? { documentId: row.taken_document_id, version: row.taken_version ?? "", at: row.taken_at.toISOString() }
        : null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export async function findWatch(
  db: Db,
  { organizationId, apiId }: { organizationId: string; apiId: string },
  { lock = false } = {},
): Promise<WatchRow | undefined> {
  return await db
    .selectFrom("document_watches")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("api_id", "=", apiId)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
}

/** By API. */
export async function listWatches(db: Db, organizationId: string, apiIds: string[]): Promise<Map<string, WatchRow>> {
  const rows = await db
    .selectFrom("document_watches")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("api_id", "=", sql<string>`any(${apiIds}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.api_id, row]));
}

export const noChange = {
  change_digest: null,
  change_version: null,
  change_found_at: null,
  change_breaking_count: null,
  change_reason: null,
} satisfies WatchChanges;

export const noFailure = { failures: 0, failing_since: null, failure: null } satisfies WatchChanges;

/** What was learned about another address. */
const forgotten = {
  ...{ looked_at: null, digest: null, compared_document_id: null, is_single_file: true, main_sha256: null },
  ...{ etag: null, last_modified: null, unchanged_since: null, dismissed_digest: null },
  ...noChange,
  ...noFailure,
} satisfies WatchChanges;

/** Stores its settings; due at once. A look that is under way stores nothing. */
export async function saveWatch(
  db: Db,
  of: { organizationId: string; apiId: string; now: Date },
  { url, everyMinutes, action }: DocumentWatchInput,
): Promise<WatchRow> {
  const { organizationId, apiId, now } = of;
  const settings = {
    ...{ url, every_minutes: everyMinutes, action, due_at: now, leased_until: null, updated_at: now },
    // Compared again: another action may apply to what waits.
    compared_document_id: null,
  };
  const known = await findWatch(db, of, { lock: true });
  if (!known) {
    const row = { ...settings, api_id: apiId, organization_id: organizationId, created_at: now };
    return await db.insertInto("document_watches").values(row).returningAll().executeTakeFirstOrThrow();
  }
  return await db
    .updateTable("document_watches")
    .set({ ...(known.url === url ? {} : forgotten), ...settings, fencing_token: known.fencing_token + 1 })
    .where("organization_id", "=", organizationId)
    .where("api_id", "=", apiId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteWatch(db: Db, of: { organizationId: string; apiId: string }): Promise<void> {
  await db
    .deleteFrom("document_watches")
    .where("organization_id", "=", of.organizationId)
    .where("api_id", "=", of.apiId)
    .execute();
}

/** @returns whether it still is the watch that was claimed, or read */
export async function updateWatch(db: Db, watch: WatchRow, changes: WatchChanges): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("document_watches")
    .set(changes)
    .where("organization_id", "=", watch.organization_id)
    .where("api_id", "=", watch.api_id)
    .where("fencing_token", "=", watch.fencing_token)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Watches that were restored as they were: due at once, and a look that is under way stores nothing. */
export async function outrunLooks(
  db: Db,
  { organizationId, apiIds, now }: { organizationId: string; apiIds: string[]; now: Date },
): Promise<void> {
  await db
    .updateTable("document_watches")
    .set((of) => ({ fencing_token: of("fencing_token", "+", 1_000), leased_until: null, due_at: now }))
    .where("organization_id", "=", organizationId)
    .where("api_id", "=", sql<string>`any(${apiIds}::uuid[])`)
    .execute();
}

/** A version came in another way: whether the address serves it is looked at soon. */
export async function hastenWatch(db: Db, apiId: string, now: Date): Promise<void> {
  await db.updateTable("document_watches").set({ due_at: now }).where("api_id", "=", apiId).execute();
}

/** Claims one that is due: organizations take turns, each with the one that has waited longest. */
export async function claimDueWatch(db: Db, now: Date): Promise<WatchRow | undefined> {
  const { rows } = await sql<WatchRow>`
    with next as (
      select due.api_id from ${table} due
      where due.due_at <= ${now}::timestamptz and coalesce(due.leased_until < now(), true)
      order by (
        select max(earlier.looked_at) from ${table} earlier where earlier.organization_id = due.organization_id
      ) nulls first, due.due_at
      limit 1 for update of due skip locked
    )
    update ${table} watch
    set fencing_token = watch.fencing_token + 1, leased_until = now() + make_interval(mins => ${leaseMinutes})
    from next where watch.api_id = next.api_id
    returning watch.*`.execute(db);
  return rows[0];
}
